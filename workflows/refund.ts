/** One workflow per refund: it asks the bank until the bank has decided. */
import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import { MIN_WAIT_MS } from './messages.ts';
import type { RefundActivities, RefundInput, SettleRefundResult } from './messages.ts';

/** A bank that takes weeks is asked again by a new run, which needs no more than the id. */
const LONG_HISTORY_EVENTS = 50;

/** As long as it takes: an outage of the database or of the bank adds no events to the history. */
const activities = proxyActivities<RefundActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
});

/** Runs until the refund has ended, and answers its status. */
export async function refund({ refund_id }: RefundInput): Promise<SettleRefundResult['status']> {
  for (;;) {
    const { status, wake_at_ms } = await activities.settleRefund({ refund_id, now_ms: Date.now() });
    if (wake_at_ms === 0) return status;
    await sleep(Math.max(wake_at_ms - Date.now(), MIN_WAIT_MS));
    if (workflowInfo().historyLength > LONG_HISTORY_EVENTS) {
      return continueAsNew<typeof refund>({ refund_id });
    }
  }
}
