/** The all-in-one program that `npm start` runs, with a data folder and ports of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { signalGroup } from '../../../embedded/identity.mjs';
import { PROJECT } from './programs.ts';
import { until } from '../until.ts';
import { freePort } from '../port.ts';

/** The time limit of a start, which takes about ten seconds, and longer beside other tests. */
const READY_LIMIT_MS = 120_000;
/** The time limit of a stop. Programs may finish their work first. */
const END_LIMIT_MS = 120_000;

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
  /** Starts it and waits until it reports that everything is up. */
  start(): Promise<ReadyFile>;
  /** Returns what it has printed since its last start. */
  output(): string;
  /** Reads its ready file. */
  ready(): ReadyFile;
  /** Sends SIGINT to its process group, as Ctrl-C in a terminal does. */
  interrupt(): void;
  /** Sends SIGKILL to start.ts alone. */
  kill(): void;
  /** Resolves to the exit code of the command; null after a signal. */
  exit(): Promise<number | null>;
  /** Waits until no process uses the data folder. Throws an error that names the remaining ones. */
  gone(): Promise<void>;
  /** Kills all remaining processes. */
  destroy(): Promise<void>;
}

/** Prepares a start on free ports. Its output goes into `folder`. */
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
        if (child?.exitCode !== null) throw new Error(`npm start ended:\n${output()}`);
        return existsSync(readyFile) && output().includes('Ctrl-C stops everything');
      };
      await until(isUp, Boolean, READY_LIMIT_MS);
      return ready();
    },
    interrupt: () => void (child?.pid && process.kill(-child.pid, 'SIGINT')),
    kill() {
      const { owner } = JSON.parse(readFileSync(path.join(dataDir, 'running.json'), 'utf8')) as {
        owner: { pid: number };
      };
      process.kill(owner.pid, 'SIGKILL');
    },
    exit: async () => exit,
    async destroy() {
      if (left().length === 0) return;
      if (child?.pid) signalGroup(child.pid, 'SIGKILL');
      // The guardian stops the processes that start.ts leaves behind.
      await gone();
    },
  };
}

/** Returns the command of `npm start`. npm's shell would hide the exit code of the program. */
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
    // The project's own programs come first, as under npm.
    PATH: [path.join(PROJECT, 'node_modules', '.bin'), process.env['PATH']].join(path.delimiter),
    DATA_DIR: dataDir,
    CACHE_DIR: path.resolve(PROJECT, process.env['CACHE_DIR'] ?? '.cache'),
    LOG_LEVEL: 'warn',
  };
}

/**
 * Returns every process with the folder in its command line or environment. Reads /proc, so it
 * finds none outside Linux.
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
      // The process has just ended, or belongs to another user.
      return [];
    }
  });
}
