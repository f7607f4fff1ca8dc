/** The activities of both workers, with what they need handed to them once. */
import { Context } from '@temporalio/activity';
import type {
  DeliveryActivities,
  PaymentActivities,
  RefundActivities,
  ReplayActivities,
  SweepActivities,
} from '../workflows/messages.ts';
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

/** For the worker of the `payments` queue. */
export function createActivities(
  deps: SettleDeps & Omit<SweepDeps, 'prune'> & PruneDeps,
): PaymentActivities & RefundActivities & ReplayActivities & SweepActivities {
  const sweep = makeSweep({ ...deps, prune: makePruner(deps) });
  return {
    settlePayment: async (input) => settlePayment(deps, input),
    settleRefund: async (input) => settleRefund(deps, input),
    sendReplay: async (input) => sendReplay(deps, input),
    sweep: async () => sweep(Context.current()),
  };
}

/** For the worker of the `webhooks` queue: deliveries only, so that they delay no payment. */
export function createDeliveryActivities(deps: DeliverDeps): DeliveryActivities {
  return { deliverWebhook: async (input) => deliverWebhook(deps, input) };
}
