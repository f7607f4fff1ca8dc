/** What a round of the sweep runs in, where no Temporal runs it. */
import type { SweepActivity } from '../../activities/sweep.ts';

export interface TestActivity extends SweepActivity {
  /** Heartbeats so far. */
  readonly beats: () => number;
  /** Ends the activity, as Temporal does after a timeout. */
  cancel(): void;
}

/** An activity that counts its heartbeats and goes on until it is cancelled. */
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
