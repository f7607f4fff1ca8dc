import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { serverEnvironment, type Environment } from './environment.ts';
import type { Guardian } from './guard.ts';
import { hiddenAddress } from './ports.ts';
import { startProxy } from './proxy.ts';
import { supervise, type Supervised } from './supervise.ts';

/** On the same machine, connecting takes milliseconds. */
const CONNECT_LIMIT_MS = 2_000;

const FRONTEND_SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

/** The status in grpc.health.v1 of a service that works. */
const SERVING = 1;

/** The options that both servers share. */
export interface ServerOptions {
  port: number;
  dataDir: string;
  env: Environment;
  guardian: Guardian;
  log: (line: string) => void;
  onPid: (pid: number) => void;
}

interface TemporalOptions extends ServerOptions {
  /** The Temporal CLI. */
  command: string;
  /** If absent, there is no web interface. */
  web?: WebOptions | undefined;
}

interface WebOptions {
  /** The port for browsers. */
  port: number;
  /** The port on which Temporal serves it, behind the proxy. */
  innerPort: number;
  /** Host names that requests may use, besides those of the loopback address. */
  hosts: readonly string[];
}

export interface TemporalServer extends Supervised {
  address: string;
  uiUrl?: string;
}

/**
 * Temporal's HTTP API accepts commands from any web page and cannot be switched off. Tollgate does
 * not use it, so it serves only a host name that no browser can resolve (RFC 6761).
 */
const NO_HTTP_API = ['--dynamic-config-value', 'frontend.httpAllowedHosts=["none.invalid"]'];

/**
 * Runs Temporal's development server on the loopback address, with its data in
 * `<dataDir>/temporal`. Resolves when the server responds to calls. Throws a `StartError` if it fails.
 */
export async function runTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { web } = options;
  if (!web) return runServer(options, ['--headless']);
  // The web interface obeys every client that reaches it, so its address must be hard to guess.
  const target = { host: await hiddenAddress(), port: web.innerPort };
  const closeProxy = await startProxy({ port: web.port, target, hosts: web.hosts });
  try {
    const place = ['--ui-ip', target.host, '--ui-port', String(target.port)];
    const server = await runServer(options, place);
    const stop = async (graceMs: number) => {
      await closeProxy();
      await server.stop(graceMs);
    };
    return { ...server, stop, uiUrl: `http://127.0.0.1:${web.port}` };
  } catch (error) {
    await closeProxy();
    throw error;
  }
}

async function runServer(options: TemporalOptions, web: readonly string[]) {
  const { command, port, dataDir, env, guardian, log, onPid } = options;
  const folder = path.join(dataDir, 'temporal');
  await mkdir(folder, { recursive: true });
  const place = ['--ip', '127.0.0.1', '--port', String(port), ...NO_HTTP_API];
  // WAL with normal syncing keeps every acknowledged write if the process crashes.
  const pragmas = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'];
  const storage = ['--db-filename', path.join(folder, 'temporal.db'), ...pragmas];
  const server = await supervise({
    name: 'Temporal',
    command,
    args: ['server', 'start-dev', ...place, ...web, ...storage, '--log-level', 'warn'],
    env: serverEnvironment(env),
    cwd: folder,
    ready: () => isServing(port),
    logFile: path.join(dataDir, 'logs', 'temporal.log'),
    guardian,
    log,
    onPid,
  });
  return { ...server, address: `127.0.0.1:${port}` };
}

/** Returns true if the frontend reports that it serves. Throws if it cannot be reached. */
async function isServing(port: number): Promise<boolean> {
  // A gRPC client notices late that a port has opened, so a plain connection tries it first.
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect').finally(() => socket.destroy());
  const connection = await Connection.connect({
    address: `127.0.0.1:${port}`,
    connectTimeout: CONNECT_LIMIT_MS,
  });
  try {
    const health = await connection.withDeadline(Date.now() + CONNECT_LIMIT_MS, () =>
      connection.healthService.check({ service: FRONTEND_SERVICE }),
    );
    const status: number = health.status;
    return status === SERVING;
  } finally {
    await connection.close();
  }
}
