/** The bare workflow: sleeps until it is woken, and settles by one local activity. */
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { settling } from './floor-worker.ts';

const wake = defineSignal<[number]>('wake');
const { settle } = proxyLocalActivities<ReturnType<typeof settling>>({
  startToCloseTimeout: '5 seconds',
});

export async function floor(id: string): Promise<void> {
  let receivers = 0;
  setHandler(wake, (count) => {
    receivers = count;
  });
  await condition(() => receivers > 0);
  await settle(id, receivers);
}
