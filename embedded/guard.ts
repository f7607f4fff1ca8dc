import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { identityOf } from './identity.mjs';

/** Servers write their last pages in well under a second; this leaves room for a busy machine. */
const GRACE_MS = 8_000;

/** A guardian that was killed is replaced; this keeps a hopeless one from spinning. */
const RESPAWN_MS = 500;

/** A small process of its own that stops every watched process group when this program is gone. */
export interface Guardian {
  pid(): number | undefined;
  /** Takes a process group, named by its first process, under guard. */
  watch(pid: number): void;
  /** Says that a group has ended. */
  forget(pid: number): void;
  /** Ends the guardian; groups that are still watched are stopped first, folders removed. */
  close(): Promise<void>;
}

interface GuardianOptions {
  /** A folder to delete when all has stopped: a test run's data. */
  remove?: string | undefined;
}

/** Starts the guardian; it does not keep this program running. */
export function startGuardian(options: GuardianOptions = {}): Guardian {
  const watched = new Map<number, string | undefined>();
  let closed = false;
  let child = launch();

  function launch(): ChildProcess {
    const script = fileURLToPath(new URL('./guardian.mjs', import.meta.url));
    const started = spawn(process.execPath, [script, String(GRACE_MS)], {
      // Its own process group, so that a Ctrl-C in the terminal does not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    });
    // A guardian that dies is noticed by 'exit'; what was written to it is said again then.
    started.stdin?.on('error', () => undefined);
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (!closed) setTimeout(() => (child = closed ? child : launch()), RESPAWN_MS).unref();
    });
    release(started);
    if (options.remove !== undefined) tell(started, { remove: options.remove });
    for (const [pid, identity] of watched) tell(started, { watch: pid, identity });
    return started;
  }

  return {
    pid: () => child.pid,
    watch(pid) {
      watched.set(pid, identityOf(pid));
      tell(child, { watch: pid, identity: watched.get(pid) });
    },
    forget(pid) {
      watched.delete(pid);
      tell(child, { forget: pid });
    },
    async close() {
      closed = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await ended;
    },
  };
}

function tell(guardian: ChildProcess, order: object): void {
  guardian.stdin?.write(`${JSON.stringify(order)}\n`);
}

function release(guardian: ChildProcess): void {
  guardian.unref();
  const pipe = guardian.stdin;
  if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}
