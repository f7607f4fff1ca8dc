/** One workflow per payment. It waits and passes messages on; what is true lies in MongoDB. */
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
  workflowInfo,
} from '@temporalio/workflow';
import type { Message } from '../domain/verdict.ts';
import { ASK_UPDATE, MIN_WAIT_MS, WAKE_SIGNAL } from './messages.ts';
import type { PaymentActivities, PaymentInput, SettleInput, SettleResult } from './messages.ts';

interface Letter {
  message: Message;
  answer?: (result: SettleResult) => void;
}

/**
 * A wish that is refused leaves 8 events, and nothing keeps a customer from repeating it. A run
 * that has become so long is followed by a new one, which needs no more than the id.
 */
const LONG_HISTORY_EVENTS = 50;

const LOOK: Message = { kind: 'look' };

const wake = defineSignal(WAKE_SIGNAL);
const ask = defineUpdate<SettleResult, [Message]>(ASK_UPDATE);

/** A few quick tries inside the workflow task: the usual case costs no further event. */
const quick = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 3, initialInterval: '100 milliseconds' },
});

/**
 * Then as long as it takes: a long outage of the database adds no events to the history. The delays
 * stay short, because a customer may be waiting for what a dead worker had begun.
 */
const patient = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
});

/**
 * Runs until nothing more can happen to the payment, and answers its status. A first run, a woken
 * one, a delayed one and one that was made anew all begin with a look at what is due.
 */
export async function payment({ payment_id }: PaymentInput): Promise<SettleResult['status']> {
  const inbox: Letter[] = [];
  setHandler(wake, () => {
    // Looking once serves every wake that came before the look.
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
    if (workflowInfo().historyLength > LONG_HISTORY_EVENTS) {
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
