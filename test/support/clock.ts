/** A clock that slows down with the machine, for tests of promised seconds. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Clock {
  /** Returns the tenths of a second since the start. */
  read(): number;
  stop(): Promise<void>;
}

/**
 * Starts to count tenths of a second. Each tenth also waits for one `call` to an idle part of the
 * system. A slow machine makes the tenths longer, so limits in tenths hold on any machine.
 */
export function startClock(call: () => Promise<unknown>): Clock {
  let tenths = 0;
  const over = new AbortController();
  const running = (async () => {
    for (; !over.signal.aborted; tenths += 1) {
      await sleep(100);
      await call();
    }
  })();
  return {
    read: () => tenths,
    stop: async () => {
      over.abort();
      await running;
    },
  };
}
