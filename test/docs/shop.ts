/** A merchant's folder, with the receivers and clients of docs/, and the packages that they import. */
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/port.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { until } from '../support/until.ts';
import { hasRuntime } from './driver.ts';

const run = promisify(execFile);

const PACKAGES = ['koa', '@koa/router', 'express', 'fastify'];
/** The commands that start a receiver on a port. `serve-next.mjs` stands in for Next.js. */
const COMMANDS: Readonly<Record<string, (port: number) => readonly string[]>> = {
  'express.mjs': () => [process.execPath, 'express.mjs'],
  'koa.mjs': () => [process.execPath, 'koa.mjs'],
  'fastify.mjs': () => [process.execPath, 'fastify.mjs'],
  'next.mjs': () => [process.execPath, 'serve-next.mjs'],
  'verify.py': () => ['python3', 'verify.py'],
  'verify.php': (port) => ['php', '-S', `127.0.0.1:${port}`, 'verify.php'],
};
const LANGUAGES: Readonly<Record<string, string>> = { '.py': 'Python', '.php': 'PHP' };

/** Every receiver of the documentation. */
export const RECEIVERS = Object.keys(COMMANDS);

/** Returns true if this machine can run the receiver. */
export function isRunnable(file: string): boolean {
  const language = LANGUAGES[path.extname(file)];
  return language === undefined || hasRuntime(language);
}

/** Creates the folder, with the SDK built by its own compiler settings. */
export async function openShop(): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-receivers-'));
  const modules = path.join(folder, 'node_modules');
  await cp(path.join(PROJECT, 'docs', 'receivers'), folder, { recursive: true });
  await cp(path.join(PROJECT, 'docs', 'clients'), folder, { recursive: true });
  await cp(path.join(PROJECT, 'test/docs/serve-next.mjs'), path.join(folder, 'serve-next.mjs'));
  for (const name of PACKAGES) {
    const link = path.join(modules, name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(PROJECT, 'node_modules', name), link);
  }
  const sdk = path.join(modules, '@tollgate/sdk');
  await mkdir(sdk, { recursive: true });
  await cp(path.join(PROJECT, 'sdk', 'package.json'), path.join(sdk, 'package.json'));
  const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  const settings = path.join(PROJECT, 'sdk', 'tsconfig.build.json');
  const args = [compiler, '-p', settings, '--outDir', path.join(sdk, 'dist')];
  await run(process.execPath, args, { cwd: PROJECT });
  return { folder, close: async () => rm(folder, { recursive: true, force: true }) };
}

export interface RunningReceiver {
  readonly url: string;
  /** Returns all output so far. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a receiver, and waits until it listens. */
export async function startReceiver(
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningReceiver> {
  const port = await freePort();
  const [program = '', ...args] = COMMANDS[file]?.(port) ?? [];
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const printed = (): string => Buffer.concat(chunks).toString('utf8');
  const listens = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${file} ended:\n${printed()}`);
    return canConnect(port);
  };
  await until(listens, Boolean);
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    printed,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}
