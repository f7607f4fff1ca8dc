/** One of our own programs as a child process that can be killed and started again. */
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

/** A start takes seconds, and the machine may be busy with other files. */
const READY_LIMIT_MS = 60_000;
const LOG_TAIL = 3_000;

export interface ProgramOptions {
  name: string;
  /** The compiled program and its arguments, as in `['server.js']`. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Answers 2xx, and not `degraded`, as soon as the program does all of its work. */
  health: string;
  logFile: string;
  /** Ends the program when the test's own process dies. */
  guardian: Guardian;
}

export interface Program {
  pid(): number;
  /** Starts it and waits until it does its work. Throws with the end of its log. */
  start(): Promise<void>;
  /** Sends SIGKILL, without waiting: for the middle of something. */
  strike(): void;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** A program that is not started yet. */
export function makeProgram(options: ProgramOptions): Program {
  const { name, logFile, health, guardian } = options;
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  const isUp = (): boolean => child !== undefined && child.exitCode === null && !child.signalCode;
  const isHealthy = async (): Promise<boolean> => {
    if (!isUp()) throw new Error(`${name} ended:\n${readFileSync(logFile, 'utf8')}`);
    return fetch(health).then(
      // A server without Temporal is ready for its callers, but not for what tests do with it.
      async (answer) => answer.ok && !(await answer.text()).includes('degraded'),
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
    strike() {
      if (isUp()) signalGroup(self.pid(), 'SIGKILL');
    },
    async kill() {
      if (!child) return;
      self.strike();
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
    return spawn(process.execPath, [path.join(testServers().programs, program), ...others], {
      cwd: PROJECT,
      env,
      // A process group of its own: the guardian and `strike` mean the program and its children.
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}
