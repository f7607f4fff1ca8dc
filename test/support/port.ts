/** Ports for the programs that tests start. */
import { isPortFree } from '../../embedded/ports.ts';

/** Below the ports of `npm start`, and each process of a run has as many of its own. */
const FIRST_PORT = 10_000;
const PORTS_EACH = 1_000;

const firstOwn = FIRST_PORT + (Number(process.env['VITEST_POOL_ID'] ?? 1) % 10) * PORTS_EACH;
let taken = 0;

/** Returns a free port that no other test of the run gets, even while its program is down. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_EACH; tries += 1) {
    const port = firstOwn + (taken % PORTS_EACH);
    taken += 1;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No port from ${firstOwn} on is free.`);
}
