/**
 * The metrics of Temporal's SDK. Its native library serves them itself, on a port that it must be
 * given. That port is on the loopback address, and ours passes on what is there.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const LIMIT_MS = 2_000;

/** Returns a free address of this machine, `127.0.0.1:port`. */
export async function findAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

/** Returns the options of Temporal's runtime that let it serve its metrics at the address. */
export function telemetryAt(bindAddress: string) {
  const prometheus = {
    bindAddress,
    // Names and units as Prometheus recommends them.
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
  return { telemetryOptions: { metrics: { prometheus, attachServiceName: false } } };
}

/** Returns the SDK's metrics as text, or an empty text if it does not reply within 2 s. */
export async function readSdk(address: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetch(`http://${address}/metrics`, { signal });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
