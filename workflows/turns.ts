/** The loop of workflows that only wait: an activity does a turn, and says when the next one is. */
import { sleep, workflowInfo } from '@temporalio/workflow';
import { MIN_WAIT_MS } from './messages.ts';

/** What waits for long is continued by a new run, which needs no more than the id. */
const LONG_HISTORY_EVENTS = 50;

/** Takes turns until there is none to come (0), and answers what the last one came to. */
export async function inTurns<T extends { wake_at_ms: number }>(
  turn: () => Promise<T>,
  continueAnew: () => Promise<never>,
): Promise<T> {
  for (;;) {
    const result = await turn();
    if (result.wake_at_ms === 0) return result;
    await sleep(Math.max(result.wake_at_ms - Date.now(), MIN_WAIT_MS));
    if (workflowInfo().historyLength > LONG_HISTORY_EVENTS) return continueAnew();
  }
}
