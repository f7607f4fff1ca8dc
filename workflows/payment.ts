/**
 * One workflow per payment. It waits and passes messages on; MongoDB holds what is true.
 *
 * It starts with the payment, asleep until the payment expires. A signal wakes it when the bank or
 * the customer has written something. An update asks it for something, such as a cancel, and waits
 * for the result. A timer wakes it when something is due. Each time it calls `settlePayment`, which
 * carries out the rules (`domain/verdict.ts`) and returns when to look again. It ends when nothing
 * can happen to the payment any more. The sweep starts it again if its run is lost.
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

interface Letter {
  message: Message;
  answer?: (result: SettleResult) => void;
}

const LOOK: Message = { kind: 'look' };

const wake = defineSignal(WAKE_SIGNAL);
const ask = defineUpdate<SettleResult, [Message]>(ASK_UPDATE);

/** A few quick tries inside the workflow task. The usual case adds no other event. */
const quick = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 3, initialInterval: '100 milliseconds' },
});

/**
 * Then without end: a long outage of the database adds no events to the history. The delays stay
 * short, because a customer may wait for what a dead worker has begun.
 */
const patient = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
});

/**
 * Runs until nothing more can happen to the payment. Returns its status. Every run begins with a
 * look at what is due, whether it is the first one or replaces another.
 */
export async function payment({ payment_id }: PaymentInput): Promise<SettleResult['status']> {
  const inbox: Letter[] = [];
  setHandler(wake, () => {
    // One look serves every signal that came before it.
    if (!inbox.some((letter) => letter.message.kind === 'look')) inbox.push({ message: LOOK });
  });
  setHandler(ask, async (message) => {
    return new Promise<SettleResult>((answer) => {
      inbox.push({ message, answer });
    });
  });
  for (;;) {
    const letter = inbox.shift() ?? { message: LOOK };
    const result = await settle({ payment_id, message: letter.message, now_ms: Date.now() });
    letter.answer?.(result);
    if (result.done && inbox.length === 0) {
      await condition(allHandlersFinished);
      return result.status;
    }
    if (inbox.length > 0) continue;
    // An update that is refused leaves 8 events, and a customer may repeat it without end.
    if (hasLongHistory()) {
      await condition(allHandlersFinished);
      return continueAsNew<typeof payment>({ payment_id });
    }
    const waitMs = Math.max(result.wake_at_ms - Date.now(), MIN_WAIT_MS);
    await condition(() => inbox.length > 0, waitMs);
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
