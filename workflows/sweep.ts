/** The round that finds what was left lying, started by a schedule. */
import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepResult } from './messages.ts';

const activities = proxyActivities<SweepActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 2 },
});

/** One round; the next one comes by itself, so a failed round is not insisted on. */
export async function sweep(): Promise<SweepResult> {
  return activities.sweep();
}
