/** The activity context of a sweep that runs outside Temporal. */
import type { SweepActivity } from '../../activities/sweep.ts';

interface TestActivity extends SweepActivity {
  /** Returns the number of heartbeats so far. */
  readonly beats: () => number;
  /** Cancels the activity, as Temporal does after a timeout. */
  cancel(): void;
}

/** Creates an activity that counts its heartbeats and runs until it is canceled. */
export function makeSweepActivity(): TestActivity {
  const over = new AbortController();
  let beats = 0;
  return {
    heartbeat: () => {
      beats += 1;
    },
    cancellationSignal: over.signal,
    beats: () => beats,
    cancel: () => over.abort(),
  };
}
