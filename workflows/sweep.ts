/** The round that finds what was left lying, started by a schedule. */
import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepResult } from './messages.ts';

const activities = proxyActivities<SweepActivities>({
  startToCloseTimeout: '2 minutes',
  // The time after which a dead worker is noticed. No step between two heartbeats takes longer.
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 2 },
});

/**
 * Runs one round of the sweep. A failed round is retried only once, because the schedule starts the
 * next one.
 */
export async function sweep(): Promise<SweepResult> {
  return activities.sweep();
}
