/** A program of the project as a child process that tests can kill and restart. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guardian } from '../../../embedded/guard.ts';
import { signalGroup } from '../../../embedded/identity.mjs';
import { testServers } from '../run.ts';
import { until } from '../until.ts';

export const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** The time limit of a start, which takes seconds, and longer beside other tests. */
const READY_LIMIT_MS = 120_000;
const LOG_TAIL = 3_000;

interface ProgramOptions {
  name: string;
  /** The program in the folder of the compiled ones, and its arguments. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The URL that responds with 2xx, and without `degraded`, once the program is healthy. */
  health: string;
  logFile: string;
  /** Stops the program when the test's own process dies. */
  guardian: Guardian;
}

export interface Program {
  pid(): number;
  /** Starts it and waits until it is healthy. Throws an error with the end of its log. */
  start(): Promise<void>;
  /** Sends SIGTERM, waits for the end of the process, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL without waiting for the end of the process. */
  sendKill(): void;
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>;
}

/** Prepares a program without starting it. */
export function makeProgram(options: ProgramOptions): Program {
  const { name, logFile, health, guardian } = options;
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  const isUp = (): boolean => child !== undefined && child.exitCode === null && !child.signalCode;
  const isHealthy = async (): Promise<boolean> => {
    if (!isUp()) throw new Error(`${name} ended:\n${readFileSync(logFile, 'utf8')}`);
    return fetch(health).then(
      // A degraded server accepts requests without Temporal, but tests need Temporal too.
      async (response) => response.ok && !(await response.text()).includes('degraded'),
      () => false,
    );
  };
  const self: Program = {
    pid: () => child?.pid ?? 0,
    async start() {
      child = launch(options);
      ended = new Promise((resolve) => child?.once('exit', resolve));
      guardian.watch(self.pid());
      try {
        await until(isHealthy, Boolean, READY_LIMIT_MS);
      } catch (error) {
        const tail = readFileSync(logFile, 'utf8').slice(-LOG_TAIL);
        throw new Error(`${name} did not start. Its log ends:\n${tail}`, { cause: error });
      }
    },
    async stop() {
      if (isUp()) process.kill(self.pid(), 'SIGTERM');
      await ended;
      guardian.forget(self.pid());
      return child?.exitCode ?? null;
    },
    sendKill() {
      if (isUp()) signalGroup(self.pid(), 'SIGKILL');
    },
    async kill() {
      if (!child) return;
      self.sendKill();
      await ended;
      guardian.forget(self.pid());
    },
  };
  return self;
}

function launch({ args, env, logFile }: ProgramOptions): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    const [program = '', ...others] = args;
    return spawn(process.execPath, [path.resolve(testServers().programs, program), ...others], {
      cwd: PROJECT,
      env,
      // With a process group of its own, signals also reach the program's children.
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}
