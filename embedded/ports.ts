import { randomInt } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

import getPort from 'get-port';

/**
 * Kept ports are taken from below the range that systems hand out for outgoing connections
 * (32768 and up on Linux), or a passing connection could sit on ours at the next start.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/** So many candidates are tried before the system chooses any free port. */
const CANDIDATES = 50;

/** A program on any of these addresses would answer in our place, or keep us from listening. */
const ADDRESSES = ['127.0.0.1', '0.0.0.0', '::1', '::'];

/** A port that the configuration names, but another program holds. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

/** True when a server could listen on this port of the loopback address now. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ADDRESSES) {
    const code = await listenError(port, host);
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
  }
  return true;
}

/** Throws a PortTakenError that names the variable to change when the port cannot be used. */
export async function requirePort(port: number, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new PortTakenError(
    `Port ${port} is taken by another program or may not be opened. ` +
      `Stop that program, or set ${variable} to a free port.`,
  );
}

/**
 * A port for each name: the one kept in the file from the last start or, where there is none or
 * it is taken meanwhile, a free one, which is kept.
 */
export async function keepPorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const kept = await readPorts(file);
  const ports = { ...kept };
  for (const name of names) {
    const port = kept[name];
    if (port === undefined || !(await isPortFree(port))) ports[name] = await freePort();
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(ports, undefined, 2)}\n`);
  await rename(`${file}.new`, file);
  return ports as Record<Name, number>;
}

async function readPorts(file: string): Promise<Record<string, number>> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    const entries: [string, unknown][] = Object.entries(content ?? {});
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => {
        return Number.isInteger(entry[1]);
      }),
    );
  } catch {
    // A missing or damaged file costs nothing but new ports.
    return {};
  }
}

/**
 * A port that nobody listens on and no outgoing connection will take. Random candidates, so that
 * two programs that look at the same moment rarely meet.
 */
export async function freePort(): Promise<number> {
  const span = LAST_PORT - FIRST_PORT + 1;
  const port = Array.from(
    { length: CANDIDATES },
    () => FIRST_PORT + Math.floor(Math.random() * span),
  );
  return getPort({ port });
}

/**
 * Returns a loopback address that a web page cannot guess, for a server that trusts every client.
 * Systems other than Linux have only 127.0.0.1, so there only the port is hidden.
 */
export async function hiddenAddress(): Promise<string> {
  const host = ['127', ...[0, 0, 0].map(() => randomInt(1, 255))].join('.');
  return (await listenError(0, host)) === undefined ? host : '127.0.0.1';
}

function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen({ port, host, ipv6Only: true, exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}
