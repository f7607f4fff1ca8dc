/** The round that finds what was left lying, started by a schedule. */
import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepResult } from './messages.ts';

const activities = proxyActivities<SweepActivities>({
  startToCloseTimeout: '2 minutes',
  // A worker that dies is noticed after this time; no step between two heartbeats takes longer.
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 2 },
});

/** Runs one round. The schedule starts the next one, so a failed round is tried once more at most. */
export async function sweep(): Promise<SweepResult> {
  return activities.sweep();
}
