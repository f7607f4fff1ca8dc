/** One round of the sweep, started by a schedule. */
import { proxyActivities } from '@temporalio/workflow';
import type { PaymentActivities, SweepResult } from './messages.ts';

const activities = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '2 minutes',
  // The time after which a dead worker is noticed. No step between two heartbeats takes longer.
  heartbeatTimeout: '30 seconds',
  // The schedule starts the next round anyway.
  retry: { maximumAttempts: 2 },
});

export async function sweep(): Promise<SweepResult> {
  return activities.sweep();
}
