import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';

import { Connection } from '@temporalio/client';

import { serverEnvironment, type Environment } from './environment.ts';
import type { Guardian } from './guard.ts';
import { hiddenAddress } from './ports.ts';
import { startProxy } from './proxy.ts';
import { supervise, type Supervised } from './supervise.ts';

/** On the same machine a connection is made in milliseconds. */
const CONNECT_LIMIT_MS = 2_000;

const FRONTEND_SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

/** The answer of grpc.health.v1 that means yes. */
const SERVING = 1;

/** What the servers of this room have in common. */
export interface ServerOptions {
  port: number;
  dataDir: string;
  env: Environment;
  guardian: Guardian;
  log: (line: string) => void;
  onPid: (pid: number) => void;
}

interface TemporalServerOptions extends ServerOptions {
  /** The Temporal CLI. */
  command: string;
  /** If absent, there is no web interface. */
  web?: WebOptions | undefined;
}

interface WebOptions {
  /** The port that browsers use. */
  port: number;
  /** The port on which Temporal serves it, behind the proxy. */
  innerPort: number;
  /** Host names that requests may use, besides those of the loopback address. */
  hosts: readonly string[];
}

export interface TemporalServer extends Supervised {
  address: string;
  uiUrl: string | undefined;
}

/**
 * Temporal's HTTP API takes commands from any web page and cannot be switched off. Tollgate does
 * not use it, so it serves only a host name that no browser can resolve (RFC 6761).
 */
const NO_HTTP_API = ['--dynamic-config-value', 'frontend.httpAllowedHosts=["none.invalid"]'];

/**
 * Runs Temporal's development server on the loopback address, its data in `<dataDir>/temporal`.
 * Resolves when the server answers calls; throws a StartError.
 */
export async function runTemporal(options: TemporalServerOptions): Promise<TemporalServer> {
  const { web } = options;
  if (!web) return { ...(await runServer(options, ['--headless'])), uiUrl: undefined };
  // The web interface obeys every client that reaches it, so its address must be hard to guess.
  const target = { host: await hiddenAddress(), port: web.innerPort };
  const proxy = await startProxy({ port: web.port, target, hosts: web.hosts });
  try {
    const place = ['--ui-ip', target.host, '--ui-port', String(target.port)];
    const server = await runServer(options, place);
    const stop = async (graceMs: number) => {
      await proxy.close();
      await server.stop(graceMs);
    };
    return { ...server, stop, uiUrl: `http://127.0.0.1:${web.port}` };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

async function runServer(options: TemporalServerOptions, web: readonly string[]) {
  const { command, port, dataDir, env, guardian, log, onPid } = options;
  const folder = path.join(dataDir, 'temporal');
  await mkdir(folder, { recursive: true });
  const place = ['--ip', '127.0.0.1', '--port', String(port), ...NO_HTTP_API];
  // WAL with normal syncing keeps every acknowledged write over a crash of the process.
  const pragmas = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'];
  const storage = ['--db-filename', path.join(folder, 'temporal.db'), ...pragmas];
  const server = await supervise({
    name: 'Temporal',
    command,
    args: ['server', 'start-dev', ...place, ...web, ...storage, '--log-level', 'warn'],
    env: serverEnvironment(env),
    cwd: folder,
    ready: () => answersCalls(port),
    logFile: path.join(dataDir, 'logs', 'temporal.log'),
    guardian,
    log,
    onPid,
  });
  return { ...server, address: `127.0.0.1:${port}` };
}

/** True when the frontend says that it serves. */
async function answersCalls(port: number): Promise<boolean> {
  // A gRPC client is slow to notice that a port has opened, so the port is asked first.
  if (!(await accepts(port))) return false;
  const connection = await Connection.connect({
    address: `127.0.0.1:${port}`,
    connectTimeout: CONNECT_LIMIT_MS,
  });
  try {
    const answer = await connection.withDeadline(Date.now() + CONNECT_LIMIT_MS, () =>
      connection.healthService.check({ service: FRONTEND_SERVICE }),
    );
    const status: number = answer.status;
    return status === SERVING;
  } finally {
    await connection.close();
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_LIMIT_MS });
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}
