/**
 * One workflow per payment. It waits and passes messages on. The state is in MongoDB.
 *
 * It starts with the payment, and sleeps until the payment expires. A signal wakes it when the bank
 * or the customer has written something. An update asks it for something, such as a cancel, and
 * waits for the result. A timer wakes it when something is due. Each time it calls `settlePayment`,
 * which carries out the rules (`domain/verdict.ts`) and returns when to look again. It ends when
 * nothing can happen to the payment any more. The sweep starts it again if its run is lost.
 */
import {
  TemporalFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Message } from '../domain/verdict.ts';
import { ASK_UPDATE, MIN_WAIT_MS, WAKE_SIGNAL } from './messages.ts';
import type { PaymentActivities, PaymentInput, SettleInput, SettleResult } from './messages.ts';
import { hasLongHistory } from './turns.ts';

/** A message to the workflow. An update waits for `resolve`. */
interface Pending {
  message: Message;
  resolve?: (result: SettleResult) => void;
}

const LOOK: Message = { kind: 'look' };

const wake = defineSignal(WAKE_SIGNAL);
const ask = defineUpdate<SettleResult, [Message]>(ASK_UPDATE);

/** Tries a few times inside the workflow task, which keeps the history short. */
const quick = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 3, initialInterval: '100 milliseconds' },
});

/**
 * After that, retries without end. A long outage of the database adds no events to the history. The
 * delays stay short, because a customer may be waiting.
 */
const patient = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
  summary: 'Settles what is due, after quick tries failed',
});

/**
 * Runs until nothing more can happen to the payment, and returns its status. Every run begins by
 * settling what is due.
 */
export async function payment({ payment_id }: PaymentInput): Promise<SettleResult['status']> {
  const inbox: Pending[] = [];
  setHandler(wake, () => {
    // One look is enough for all signals before it.
    if (!inbox.some(({ message }) => message.kind === 'look')) inbox.push({ message: LOOK });
  });
  setHandler(ask, async (message) => {
    return new Promise<SettleResult>((resolve) => {
      inbox.push({ message, resolve });
    });
  });
  for (;;) {
    const { message, resolve } = inbox.shift() ?? { message: LOOK };
    const result = await settle({ payment_id, message, now_ms: Date.now() });
    resolve?.(result);
    if (result.done && inbox.length === 0) {
      await condition(allHandlersFinished);
      return result.status;
    }
    if (inbox.length > 0) continue;
    // A refused update adds 8 events, and a customer may repeat it without end.
    if (hasLongHistory()) {
      await condition(allHandlersFinished);
      return continueAsNew<typeof payment>({ payment_id });
    }
    const waitMs = Math.max(result.wake_at_ms - Date.now(), MIN_WAIT_MS);
    await condition(() => inbox.length > 0, waitMs, { summary: 'Until something is due' });
  }
}

async function settle(input: SettleInput): Promise<SettleResult> {
  try {
    return await quick.settlePayment(input);
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    return patient.settlePayment(input);
  }
}
