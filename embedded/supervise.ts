import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import type { Environment } from './environment.ts';
import type { Guardian } from './guard.ts';
import { signalGroup } from './identity.mjs';
import { openLog, type LogFile } from './logfile.ts';
import { reason, waitUntil } from './wait.ts';

/** A crash is answered at once; one that repeats must not keep a core busy. */
const FIRST_BACKOFF_MS = 200;
const LAST_BACKOFF_MS = 5_000;

/** After so long in good health a crash counts as the first again. */
const STEADY_MS = 30_000;

/** A command that ends so often before it was ever ready will not become so: that is an error. */
const TRIES_AT_START = 3;

/** A cold start on a busy machine takes seconds; a minute without an answer is a fault. */
const READY_LIMIT_MS = 60_000;

/** One question "are you ready?" may take so long before it is asked again. */
const QUESTION_LIMIT_MS = 5_000;

export interface SuperviseOptions {
  /** As it stands in log lines. */
  name: string;
  command: string;
  args: readonly string[];
  /** The child's whole environment. */
  env: Environment;
  cwd?: string | undefined;
  /** True when the child does its work; asked again and again, a throw counts as false. */
  ready(): Promise<boolean>;
  /** Takes the child's output. */
  logFile: string;
  /** Called with each new process: at the start and after each restart. */
  onPid?: ((pid: number) => void) | undefined;
  log: (line: string) => void;
  /** Stops the child when this program dies. */
  guardian?: Guardian | undefined;
  /** How long the first start may take. Default 60,000 ms. */
  readyLimitMs?: number | undefined;
}

export interface Supervised {
  name: string;
  /** The process that runs now; undefined between a crash and the restart. */
  pid(): number | undefined;
  /** SIGTERM to the process and its children, SIGKILL after the grace; resolves when all ended. */
  stop(graceMs: number): Promise<void>;
}

/** The child did not become ready, or could not be run. The message quotes its log. */
export class StartError extends Error {
  override name = 'StartError';
}

/**
 * Runs a command in its own process group and starts it again whenever it ends, until it is
 * stopped. Resolves when the child is ready for the first time.
 * Throws a StartError, and leaves no process, when that takes too long or the child keeps ending.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const { name, logFile, readyLimitMs = READY_LIMIT_MS } = options;
  const log = openLog(logFile);
  const keeper = new Keeper(options, log);
  const running = keeper.run();
  const stop = async (graceMs: number) => {
    await keeper.stop(graceMs);
    await running;
    log.close();
  };
  const settled = await waitUntil(
    async () => keeper.crashes >= TRIES_AT_START || (await isReady(options)),
    readyLimitMs,
  );
  if (settled && keeper.crashes < TRIES_AT_START) {
    keeper.wasReady = true;
    return { name, pid: () => keeper.pid(), stop };
  }
  const fault = settled
    ? `ended ${keeper.crashes} times, at last ${keeper.lastEnd}`
    : `did not answer within ${readyLimitMs / 1_000} s`;
  const tail = log.tail();
  await stop(0);
  throw new StartError(`${name} ${fault}. The end of ${logFile}:\n${tail}`);
}

class Keeper {
  crashes = 0;
  lastEnd = '';
  wasReady = false;
  #child: ChildProcess | undefined;
  #stopping = new AbortController();
  readonly #options: SuperviseOptions;
  readonly #log: LogFile;

  constructor(options: SuperviseOptions, log: LogFile) {
    this.#options = options;
    this.#log = log;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  async run(): Promise<void> {
    const { name, log, logFile } = this.#options;
    const stopped = this.#stopping.signal;
    while (!stopped.aborted) {
      const startedAt = performance.now();
      this.lastEnd = await this.#runOnce();
      if (stopped.aborted) return;
      this.crashes = performance.now() - startedAt > STEADY_MS ? 1 : this.crashes + 1;
      const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** (this.crashes - 1), LAST_BACKOFF_MS);
      log(`${name} ended (${this.lastEnd}); it is started again in ${pauseMs} ms. See ${logFile}`);
      await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const pid = this.pid();
    if (pid === undefined) return;
    signalGroup(pid, 'SIGTERM');
    await waitUntil(() => !signalGroup(pid, 0), graceMs);
    signalGroup(pid, 'SIGKILL');
  }

  /** Resolves, with how it ended, when the child and whatever it started are gone. */
  async #runOnce(): Promise<string> {
    const { command, args, env, cwd, guardian, onPid } = this.#options;
    const child = spawn(command, args, {
      cwd,
      env,
      // Its own process group: a Ctrl-C in the terminal is ours alone, and we stop in order.
      detached: true,
      stdio: ['ignore', this.#log.descriptor, this.#log.descriptor],
    });
    const { pid } = child;
    const ended = ending(child);
    if (pid === undefined) return ended;
    this.#child = child;
    guardian?.watch(pid);
    onPid?.(pid);
    if (this.wasReady) void this.#announce(pid);
    const end = await ended;
    this.#child = undefined;
    // What a crashed process leaves behind could hold its port or its data.
    if (!this.#stopping.signal.aborted) signalGroup(pid, 'SIGKILL');
    guardian?.forget(pid);
    return end;
  }

  async #announce(pid: number): Promise<void> {
    const back = await waitUntil(
      async () => this.pid() !== pid || (await isReady(this.#options)),
      READY_LIMIT_MS,
    );
    if (this.pid() !== pid) return;
    const { name, log } = this.#options;
    log(back ? `${name} is back (process ${pid})` : `${name} runs again but does not answer yet`);
  }
}

function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(reason(error)));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

async function isReady(options: SuperviseOptions): Promise<boolean> {
  const late = delay(QUESTION_LIMIT_MS, false, { ref: false });
  return Promise.race([options.ready().catch(() => false), late]);
}
