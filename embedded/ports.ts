import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import getPort from 'get-port';
import { StartError } from './errors.ts';
import { replaceFile } from './files.ts';

/**
 * The range of ports that are kept. Linux gives outgoing connections ports from 32768 up, and such
 * a connection could hold a kept port at the next start.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/** The number of ports in the range to try before the system chooses any free port. */
const CANDIDATES = 50;

/** A program on any of these addresses would get our requests, or keep us from listening. */
const ADDRESSES = ['127.0.0.1', '0.0.0.0', '::1', '::'];

/** Returns true if a server could listen on this port of the loopback address now. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ADDRESSES) {
    const code = await listenError(port, host);
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
  }
  return true;
}

/** Throws a `StartError` that names the variable to change if the port cannot be used. */
export async function requirePort(port: number, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new StartError(
    `Port ${port} is taken by another program or may not be opened. ` +
      `Stop that program, or set ${variable} to a free port.`,
  );
}

/**
 * Returns a port for each name and keeps them in the file: the same as at the last start, except
 * for those that another program has taken.
 */
export async function keepPorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const kept = readPorts(file);
  const ports: Record<string, unknown> = { ...kept };
  for (const name of names) {
    const port = kept[name];
    const isUsable = typeof port === 'number' && (await isPortFree(port));
    if (!isUsable) ports[name] = await freePort();
  }
  mkdirSync(path.dirname(file), { recursive: true });
  replaceFile(file, `${JSON.stringify(ports, undefined, 2)}\n`);
  return ports as Record<Name, number>;
}

/** Returns no ports if the file is missing or damaged: new ones are then chosen. */
function readPorts(file: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return {};
  }
}

/**
 * Returns a free port that no outgoing connection is given. It is random, so two programs that look
 * at the same moment rarely get the same one.
 */
export async function freePort(): Promise<number> {
  const port = Array.from({ length: CANDIDATES }, () => randomInt(FIRST_PORT, LAST_PORT + 1));
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
