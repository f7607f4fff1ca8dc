import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { identityOf } from './identity.mjs';

/** Servers write their last pages in well under a second; a busy machine needs more. */
const GRACE_MS = 8_000;

/** The pause before a killed guardian is replaced, in case the new one dies too. */
const RESPAWN_MS = 500;

const SCRIPT = fileURLToPath(new URL('./guardian.mjs', import.meta.url));

/** A separate small process that stops every watched process group when this program is gone. */
export interface Guardian {
  pid(): number | undefined;
  /** Watches a process group. Its id is that of its first process. */
  watch(pid: number): void;
  /** Stops watching a group, which has ended. */
  forget(pid: number): void;
  /** Stops the groups that are still watched, removes the folder, and ends the guardian. */
  close(): Promise<void>;
}

/** Starts the guardian, which does not keep this program running. At its end it deletes `remove`. */
export function startGuardian({ remove }: { remove?: string | undefined } = {}): Guardian {
  const watched = new Map<number, string | undefined>();
  let closed = false;
  let child = launch();

  function launch(): ChildProcess {
    const started = spawn(process.execPath, [SCRIPT, String(GRACE_MS)], {
      // Its own process group, so that a Ctrl-C in the terminal does not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    });
    // If it dies, 'exit' follows, and its successor is sent everything again.
    started.stdin.on('error', () => undefined);
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (!closed) setTimeout(() => (child = closed ? child : launch()), RESPAWN_MS).unref();
    });
    started.unref();
    const pipe = started.stdin;
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
    if (remove !== undefined) send(started, { remove });
    for (const [pid, identity] of watched) send(started, { watch: pid, identity });
    return started;
  }

  return {
    pid: () => child.pid,
    watch(pid) {
      const identity = identityOf(pid);
      watched.set(pid, identity);
      send(child, { watch: pid, identity });
    },
    forget(pid) {
      watched.delete(pid);
      send(child, { forget: pid });
    },
    async close() {
      closed = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin?.end();
      await once(child, 'exit');
    },
  };
}

function send(guardian: ChildProcess, order: object): void {
  guardian.stdin?.write(`${JSON.stringify(order)}\n`);
}
