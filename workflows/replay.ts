/** One workflow per replay. It sends a batch, waits to keep the rate, and sends the next one. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { PaymentActivities, ReplayInput, SendReplayResult } from './messages.ts';
import { inTurns } from './turns.ts';

/** The timeout is for writing and starting a batch of up to 500 deliveries. */
const activities = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '60 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Starts the next deliveries',
});

/** Runs until all deliveries are started or the replay is stopped, and returns its status. */
export async function replay({ replay_id }: ReplayInput): Promise<SendReplayResult['status']> {
  const { status } = await inTurns(
    async () => activities.sendReplay({ replay_id }),
    async () => continueAsNew<typeof replay>({ replay_id }),
  );
  return status;
}
