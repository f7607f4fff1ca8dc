/** A clock for promises that a busy machine cannot keep to the second. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Tenths of a second since its start. */
  read(): number;
  stop(): Promise<void>;
}

/**
 * Counts tenths of a second, each of them with a `call` that waits for nothing. A machine that is
 * slow or stands still makes them longer, so that what is told by their number stays the same.
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
