/** One workflow per refund. It asks the bank until the bank has decided. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { PaymentActivities, RefundInput, SettleRefundResult } from './messages.ts';
import { inTurns } from './turns.ts';

/** Retries without end. An outage of the database or the bank adds no events to the history. */
const activities = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Asks the bank for its decision',
});

/** Runs until the refund has ended, and returns its status. */
export async function refund({ refund_id }: RefundInput): Promise<SettleRefundResult['status']> {
  const { status } = await inTurns(
    async () => activities.settleRefund({ refund_id, now_ms: Date.now() }),
    async () => continueAsNew<typeof refund>({ refund_id }),
  );
  return status;
}
