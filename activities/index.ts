/** The activities of both workers, bound to their dependencies. */
import { Context } from '@temporalio/activity';
import { publish } from '../facts.ts';
import type { DeliveryActivities, PaymentActivities } from '../workflows/messages.ts';
import { tracedBank } from './bank.ts';
import { makeCounter } from './count.ts';
import { deliverWebhook } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { makePruner } from './prune.ts';
import type { PruneDeps } from './prune.ts';
import { settleRefund } from './refund.ts';
import { sendReplay } from './replay.ts';
import { settlePayment } from './settle.ts';
import type { SettleDeps } from './settle.ts';
import { makeSweep } from './sweep.ts';
import type { SweepDeps } from './sweep.ts';

/** Creates the activities of the `payments` queue. */
export function createActivities(
  given: SettleDeps & Omit<SweepDeps, 'count' | 'prune'> & PruneDeps,
): PaymentActivities {
  const deps = { ...given, bank: tracedBank(given.bank) };
  const sweep = makeSweep({ ...deps, count: makeCounter(deps), prune: makePruner(deps) });
  return {
    settlePayment: async (input) => settlePayment(deps, input),
    settleRefund: async (input) => settleRefund(deps, input),
    sendReplay: async (input) => sendReplay(deps, input),
    sweep: async () => {
      const round = await sweep(Context.current());
      publish('swept', round);
      return round;
    },
  };
}

/**
 * Creates the activities of the `webhooks` queue. It has only deliveries, so they delay no payment.
 */
export function createDeliveryActivities(deps: DeliverDeps): DeliveryActivities {
  return { deliverWebhook: async (input) => deliverWebhook(deps, input) };
}
