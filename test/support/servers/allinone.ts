/** The all-in-one start as `npm start` runs it, on a data folder and ports of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { signalGroup } from '../../../embedded/identity.mjs';
import { PROJECT } from './programs.ts';
import { until } from '../until.ts';
import { freePort } from '../../../embedded/ports.ts';

/** A cold start takes about ten seconds; beside other tests on a small machine it is more. */
const READY_LIMIT_MS = 90_000;
/** Programs that were told to stop may first end what they are at. */
const END_LIMIT_MS = 60_000;

export type Part = 'temporal' | 'mongo' | 'server' | 'worker' | 'demo';

export interface ReadyFile {
  api_url: string;
  checkout_url: string;
  demo_url: string;
  mongodb_uri: string;
  pids: Record<Part, number>;
}

export interface AllInOne {
  readonly env: Readonly<Record<string, string>>;
  readonly readyFile: string;
  /** Starts it and waits until it says that everything answers. */
  start(): Promise<ReadyFile>;
  /** What it has printed since its last start. */
  output(): string;
  /** As it is now. */
  ready(): ReadyFile;
  /** Ctrl-C in the terminal: the whole foreground group gets it. */
  interrupt(): void;
  /** SIGKILL to start.ts alone. */
  strike(): void;
  /** How the command ended; null after a signal. */
  exit(): Promise<number | null>;
  /** Resolves when no process works on the data folder any more; throws naming what is left. */
  gone(): Promise<void>;
  /** Ends by force whatever is left. */
  destroy(): Promise<void>;
}

/** Not started yet, on free ports of its own; its output goes into `folder`. */
export async function makeAllInOne(
  folder: string,
  dataDir = path.join(folder, 'data'),
  more: Readonly<Record<string, string>> = {},
): Promise<AllInOne> {
  await mkdir(folder, { recursive: true });
  const env = { ...(await environmentOf(dataDir)), ...more };
  const readyFile = path.join(dataDir, 'ready.json');
  const logFile = path.join(folder, 'start.log');
  let child: ChildProcess | undefined;
  let exit: Promise<number | null> = Promise.resolve(null);
  const ready = (): ReadyFile => JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile;
  const output = (): string => readFileSync(logFile, 'utf8');
  const left = (): string[] => processesOn(dataDir);
  const gone = async (): Promise<void> => {
    await until(left, ({ length }) => length === 0, END_LIMIT_MS);
  };
  return {
    env,
    readyFile,
    ready,
    output,
    gone,
    async start() {
      const log = openSync(logFile, 'w');
      const [command = '', ...args] = startScript().split(' ');
      const options = { cwd: PROJECT, env, detached: true } as const;
      child = spawn(command, args, { ...options, stdio: ['ignore', log, log] });
      closeSync(log);
      exit = new Promise((resolve) => child?.once('exit', resolve));
      const isUp = (): boolean => {
        if (child?.exitCode !== null) throw new Error(`It ended:\n${output()}`);
        return existsSync(readyFile) && output().includes('Ctrl-C stops everything');
      };
      await until(isUp, Boolean, READY_LIMIT_MS);
      return ready();
    },
    interrupt: () => void (child?.pid && process.kill(-child.pid, 'SIGINT')),
    strike() {
      const { owner } = JSON.parse(readFileSync(path.join(dataDir, 'running.json'), 'utf8')) as {
        owner: { pid: number };
      };
      process.kill(owner.pid, 'SIGKILL');
    },
    exit: async () => exit,
    async destroy() {
      if (left().length === 0) return;
      if (child?.pid) signalGroup(child.pid, 'SIGKILL');
      // The guardian stops what the start has left behind.
      await gone();
    },
  };
}

/** What `npm start` runs; without its shell, which would hide how the program ended. */
function startScript(): string {
  const text = readFileSync(path.join(PROJECT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { scripts: { start: string } }).scripts.start;
}

async function environmentOf(dataDir: string): Promise<Record<string, string>> {
  const names = ['HOME', 'TEMPORAL_CLI_PATH', 'MONGOD_PATH'];
  const ours = names.map((name): [string, string] => [name, process.env[name] ?? '']);
  const ports = ['API_PORT', 'CHECKOUT_PORT', 'DASHBOARD_PORT', 'DEMO_PORT', 'TEMPORAL_UI_PORT'];
  const chosen = await Promise.all(
    ports.map(async (name): Promise<[string, string]> => [name, String(await freePort())]),
  );
  return {
    ...Object.fromEntries([...ours, ...chosen].filter(([, value]) => value !== '')),
    // As npm does it, with the project's own programs first.
    PATH: [path.join(PROJECT, 'node_modules', '.bin'), process.env['PATH']].join(path.delimiter),
    DATA_DIR: dataDir,
    CACHE_DIR: path.resolve(PROJECT, process.env['CACHE_DIR'] ?? '.cache'),
    LOG_LEVEL: 'warn',
  };
}

/**
 * Every process that has the folder in its command line or in its environment, by Linux's list of
 * processes; elsewhere none can be told.
 */
function processesOn(folder: string): string[] {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const mentions = command + readFileSync(`/proc/${pid}/environ`, 'utf8');
      const name = command.replaceAll('\0', ' ').trim();
      return mentions.includes(folder) ? [`${pid} ${name}`] : [];
    } catch {
      // It ended while we looked, or it is another user's.
      return [];
    }
  });
}
