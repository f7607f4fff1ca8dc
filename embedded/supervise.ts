import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { reason, StartError } from './errors.ts';
import type { Guardian } from './guard.ts';
import { signalGroup } from './identity.mjs';
import { openLog } from './logfile.ts';
import { waitUntil } from './wait.ts';

/** The pauses before a restart. A process that keeps crashing must not keep a core busy. */
const FIRST_BACKOFF_MS = 200;
const LAST_BACKOFF_MS = 5_000;

/** After this time without a crash, the next one counts as the first again. */
const STEADY_MS = 30_000;

/** A process that ends this often before it is ready will not become ready. */
const TRIES_AT_START = 3;

/** A cold start on a busy machine takes seconds. */
const READY_LIMIT_MS = 60_000;

/** The time limit of one call of `ready`. */
const READY_CALL_LIMIT_MS = 5_000;

interface SuperviseOptions {
  /** For log lines. */
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment of the process. */
  env: Environment;
  cwd?: string | undefined;
  /** Returns true once the process works. It is called repeatedly; an error counts as false. */
  ready(): Promise<boolean>;
  /** The file for the output of the process. */
  logFile: string;
  /** Called with each new process: at the start and after each restart. */
  onPid?: ((pid: number) => void) | undefined;
  log: (line: string) => void;
  /** Stops the process when this program dies. */
  guardian?: Guardian | undefined;
  /** The time limit of the first start. Default 60,000 ms. */
  readyLimitMs?: number | undefined;
}

export interface Supervised {
  name: string;
  /** Returns the id of the process; undefined between a crash and the restart. */
  pid(): number | undefined;
  /** Sends SIGTERM to the process and its children, and SIGKILL after the grace period. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Runs a command in its own process group, and restarts it whenever it ends, until it is stopped.
 * Resolves when the process is ready for the first time. Throws a `StartError` that quotes its log,
 * and leaves no process, if that takes too long or the process keeps ending.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const { name, logFile, readyLimitMs = READY_LIMIT_MS } = options;
  const log = openLog(logFile);
  const keeper = new Keeper(options, log.descriptor);
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
    return { name, pid: () => keeper.pid, stop };
  }
  const fault = settled
    ? `ended ${keeper.crashes} times, the last time with ${keeper.lastEnd}`
    : `did not respond within ${readyLimitMs / 1_000} s`;
  const tail = log.tail();
  await stop(0);
  throw new StartError(`${name} ${fault}. The end of ${logFile}:\n${tail}`);
}

class Keeper {
  crashes = 0;
  lastEnd = '';
  wasReady = false;
  pid: number | undefined;
  readonly #stopping = new AbortController();
  readonly #options: SuperviseOptions;
  readonly #output: number;

  constructor(options: SuperviseOptions, output: number) {
    this.#options = options;
    this.#output = output;
  }

  async run(): Promise<void> {
    const { name, log, logFile } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedAt = performance.now();
      this.lastEnd = await this.#runOnce();
      if (signal.aborted) return;
      this.crashes = performance.now() - startedAt > STEADY_MS ? 1 : this.crashes + 1;
      const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** (this.crashes - 1), LAST_BACKOFF_MS);
      log(`${name} ended (${this.lastEnd}). It is restarted in ${pauseMs} ms. See ${logFile}`);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const { pid } = this;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGTERM');
    await waitUntil(() => !signalGroup(pid, 0), graceMs);
    signalGroup(pid, 'SIGKILL');
  }

  /** Runs the command until it ends. Returns how it ended. */
  async #runOnce(): Promise<string> {
    const { command, args, env, cwd, guardian, onPid } = this.#options;
    const child = spawn(command, args, {
      cwd,
      env,
      // Its own process group: a Ctrl-C in the terminal reaches only this program, which stops it.
      detached: true,
      stdio: ['ignore', this.#output, this.#output],
    });
    const ended = once(child, 'exit').then(
      ([code, signal]) => String(signal ?? `exit code ${code}`),
      reason,
    );
    const { pid } = child;
    if (pid === undefined) return ended;
    this.pid = pid;
    guardian?.watch(pid);
    onPid?.(pid);
    if (this.wasReady) void this.#announce(pid);
    const end = await ended;
    this.pid = undefined;
    // Children of a crashed process could hold its port or its data.
    if (!this.#stopping.signal.aborted) signalGroup(pid, 'SIGKILL');
    guardian?.forget(pid);
    return end;
  }

  async #announce(pid: number): Promise<void> {
    const { name, log } = this.#options;
    const isBack = await waitUntil(
      async () => this.pid !== pid || (await isReady(this.#options)),
      READY_LIMIT_MS,
    );
    if (this.pid !== pid) return;
    log(isBack ? `${name} is back (process ${pid})` : `${name} runs again but is not ready yet`);
  }
}

async function isReady(options: SuperviseOptions): Promise<boolean> {
  const late = delay(READY_CALL_LIMIT_MS, false, { ref: false });
  return Promise.race([options.ready().catch(() => false), late]);
}
