/** The bare workflow: sleeps until it is woken, and settles by one local activity. */
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { settling } from './floor-worker.ts';

const wake = defineSignal('wake');
const { settle } = proxyLocalActivities<ReturnType<typeof settling>>({
  startToCloseTimeout: '5 seconds',
});

export async function floor(id: string): Promise<void> {
  let isAwake = false;
  setHandler(wake, () => {
    isAwake = true;
  });
  await condition(() => isAwake);
  await settle(id);
}
