/** The loop of workflows that repeat one activity, which returns when it is due again. */
import { sleep, workflowInfo } from '@temporalio/workflow';
import { MIN_WAIT_MS } from './messages.ts';

/** The number of events after which a new run replaces this one. It needs only the id. */
const LONG_HISTORY_EVENTS = 50;

export const hasLongHistory = (): boolean => workflowInfo().historyLength > LONG_HISTORY_EVENTS;

/** Repeats `run` until its `wake_at_ms` is 0. Returns its last result. */
export async function inTurns<T extends { wake_at_ms: number }>(
  run: () => Promise<T>,
  continueAsNew: () => Promise<never>,
): Promise<T> {
  for (;;) {
    const result = await run();
    if (result.wake_at_ms === 0) return result;
    const waitMs = Math.max(result.wake_at_ms - Date.now(), MIN_WAIT_MS);
    await sleep(waitMs, { summary: 'Until it is due again' });
    if (hasLongHistory()) return continueAsNew();
  }
}
