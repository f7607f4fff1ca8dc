/** One workflow per replay: a batch, a pause that keeps the rate, and the next batch. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ReplayActivities, ReplayInput, SendReplayResult } from './messages.ts';
import { inTurns } from './turns.ts';

/** A batch is up to 500 deliveries that are written and started. */
const activities = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '60 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
});

/** Runs until everything has been handed over or the replay was stopped; answers its status. */
export async function replay({ replay_id }: ReplayInput): Promise<SendReplayResult['status']> {
  const { status } = await inTurns(
    async () => activities.sendReplay({ replay_id }),
    async () => continueAsNew<typeof replay>({ replay_id }),
  );
  return status;
}
