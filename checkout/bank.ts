/**
 * The sandbox bank: another party, played by this room. It decides by one conditional write; only
 * the winner of that write wakes the payment's workflow.
 */
import type { RouterContext } from '@koa/router';
import { CHOICES, SANDBOX_3DS_CODE, sandboxDecision } from '../domain/bank.ts';
import type { DecisionName } from '../domain/bank.ts';
import type { Payment } from '../domain/payment.ts';
import { recordDecision, turnBack } from '../store/attempts.ts';
import { readForm } from './form.ts';
import type { Form } from './form.ts';
import { pathOf } from './scene.ts';
import type { Page } from './table.ts';
import { answerPage, leadTo, moveOn, showView, visitByAttempt } from './visit.ts';
import type { Desk, Handler, Visit } from './visit.ts';

/** Shows the bank's page, or the one that asks for a code. */
export function showBank(page: Extract<Page, 'bank' | 'code'>): Handler {
  return async (desk, ctx) => {
    const { stale, ...visit } = await visitByAttempt(desk, ctx);
    await answerPage(desk, ctx, { visit, page: stale ? 'old_bank' : page });
  };
}

/** The customer's choice at the bank. */
export const decide: Handler = async (desk, ctx) => {
  const { stale, ...visit } = await visitByAttempt(desk, ctx);
  const form = await readForm(ctx);
  const { payment, now } = visit;
  if (stale) {
    await moveOn(desk, ctx, { token: payment.checkout_token, payment });
    return;
  }
  const outcome = CHOICES.find((choice) => choice === form.get('outcome'));
  if (outcome === 'turn_back') await leaveBank(desk, ctx, visit);
  else if (outcome === 'approve_3ds') await askCode(desk, ctx, { visit, form });
  else if (outcome) await record(desk, ctx, { payment, now, outcome });
  else await refuse(desk, ctx, { visit, view: 'bank' });
};

/** Without a code the customer is sent to the page that asks for one; a wrong one is a decline. */
async function askCode(
  desk: Desk,
  ctx: RouterContext,
  { visit, form }: { visit: Visit; form: Form },
): Promise<void> {
  const { payment, now } = visit;
  const code = form.get('code')?.replaceAll(/\s/g, '');
  if (code === undefined) {
    leadTo(ctx, pathOf(desk.addresses, payment, 'code'));
  } else if (code === '') {
    await refuse(desk, ctx, { visit, view: 'code' });
  } else {
    const outcome = code === SANDBOX_3DS_CODE ? 'approve_3ds' : 'authentication_failed';
    await record(desk, ctx, { payment, now, outcome });
  }
}

const FAULTS = { bank: { outcome: 'error.outcome' }, code: { code: 'error.code' } } as const;

/** A choice that cannot be read is asked for again, as long as there is something to choose. */
async function refuse(
  desk: Desk,
  ctx: RouterContext,
  { visit, view }: { visit: Visit; view: 'bank' | 'code' },
): Promise<void> {
  const { payment, situation } = visit;
  if (situation === 'at_bank') {
    await showView(desk, ctx, { visit, view, status: 422, faults: FAULTS[view] });
  } else {
    await moveOn(desk, ctx, { token: payment.checkout_token, payment });
  }
}

async function record(
  desk: Desk,
  ctx: RouterContext,
  { payment, now, outcome }: { payment: Payment; now: Date; outcome: DecisionName },
): Promise<void> {
  const decision = sandboxDecision(outcome, now);
  const decided = await recordDecision(desk.mongo, payment, decision);
  // A silent bank tells nobody anything, so there is nothing to wake the workflow for.
  if (decided && decision.says.answer !== 'none') await wake(desk, decided);
  await moveOn(desk, ctx, { token: payment.checkout_token, payment: null });
}

async function leaveBank(desk: Desk, ctx: RouterContext, visit: Visit): Promise<void> {
  const { payment, now } = visit;
  const back = await turnBack(desk.mongo, payment, now);
  if (back && now >= back.expires_at) await wake(desk, back);
  await moveOn(desk, ctx, { token: payment.checkout_token, payment: null });
}

/** The decision is recorded already: a wake that fails costs time, and the sweep makes up for it. */
async function wake(desk: Desk, payment: Payment): Promise<void> {
  try {
    await desk.temporal.wakePayment(payment);
  } catch (error) {
    desk.log.warn({ err: error, payment_id: payment._id }, 'the workflow was not woken at once');
  }
}
