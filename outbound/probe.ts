/** A connection to a receiver, made as a delivery makes it, on which nothing is sent. */
import { connect, isIPv6 } from 'node:net';
import { inTime } from '../concurrency.ts';
import { OutboundRefused, parseReceiver, resolveReceiver } from './address.ts';
import type { Range } from './address.ts';

/** The time for the look-up and the connection together. */
const PROBE_MS = 5_000;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** `refused`: the host responds, but nothing listens there. `unreachable`: nothing responds. */
export type Probed = 'connected' | 'refused' | 'unreachable' | OutboundRefused['code'];

/** Connects to the host of the URL, which the guard checks first. Never throws. */
export async function probeReceiver(text: string, opened: readonly Range[]): Promise<Probed> {
  try {
    return await inTime(probe(text, opened), PROBE_MS, () => new Error('No connection in time.'));
  } catch (error) {
    return error instanceof OutboundRefused ? error.code : 'unreachable';
  }
}

async function probe(text: string, opened: readonly Range[]): Promise<Probed> {
  const url = parseReceiver(text);
  const { addresses } = await resolveReceiver(url, opened);
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const port = Number(url.port) || (url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT);
  const socket = connect({
    host: url.hostname,
    port,
    autoSelectFamily: true,
    // The name is not looked up again, so the connection goes to an address that was checked.
    lookup: (_host, _how, done) => done(null, checked),
    signal: AbortSignal.timeout(PROBE_MS),
  });
  try {
    return await new Promise<Probed>((resolve) => {
      socket.once('connect', () => resolve('connected'));
      socket.once('error', (error) => {
        const { code } = error as NodeJS.ErrnoException;
        resolve(code === 'ECONNREFUSED' ? 'refused' : 'unreachable');
      });
    });
  } finally {
    socket.destroy();
  }
}
