/**
 * The sandbox bank: another party, played by this room. It decides by one conditional write; only
 * the winner of that write wakes the payment's workflow.
 */
import type { RouterContext } from '@koa/router';
import { CHOICES, SANDBOX_3DS_CODE, sandboxDecision } from '../domain/bank.ts';
import type { DecisionName } from '../domain/bank.ts';
import type { Payment } from '../domain/payment.ts';
import { recordDecision, turnBack } from '../store/attempts.ts';
import { mintId } from '../store/mint.ts';
import { paymentById } from '../store/payments.ts';
import { readForm } from './form.ts';
import type { Form } from './form.ts';
import { pathOf } from './scene.ts';
import { lateViewOf } from './table.ts';
import type { PageName } from './table.ts';
import { answerPage, leadTo, moveOn, showView, visitByAttempt } from './visit.ts';
import type { Desk, PageHandler, Visit } from './visit.ts';

/** A visit to the bank with one of the payment's attempts. */
interface BankVisit extends Visit {
  readonly attemptId: string;
}

/** Shows the bank's page, or the one that asks for a code. */
export function showBank(page: Extract<PageName, 'bank' | 'code'>): PageHandler {
  return async (desk, ctx) => {
    const { stale, ...visit } = await visitByAttempt(desk, ctx);
    await answerPage(desk, ctx, { visit, page: stale ? 'old_bank' : page });
  };
}

/** The customer's choice at the bank. */
export const decide: PageHandler = async (desk, ctx) => {
  const { stale, ...visit } = await visitByAttempt(desk, ctx);
  const form = await readForm(ctx);
  const { payment } = visit;
  const outcome = CHOICES.find((choice) => choice === form.get('outcome'));
  if (outcome && outcome !== 'turn_back' && lateViewOf(payment, visit.attemptId)) {
    await moveOnFrom(desk, ctx, visit);
  } else if (stale) await moveOn(desk, ctx, { token: payment.checkout_token, payment });
  else if (outcome === 'turn_back') await leaveBank(desk, ctx, visit);
  else if (outcome === 'approve_3ds') await askCode(desk, ctx, { visit, form });
  else if (outcome) await record(desk, ctx, { visit, outcome });
  else await refuse(desk, ctx, { visit, view: 'bank' });
};

/** Without a code the customer is sent to the page that asks for one; a wrong one is a decline. */
async function askCode(
  desk: Desk,
  ctx: RouterContext,
  { visit, form }: { visit: BankVisit; form: Form },
): Promise<void> {
  const { payment } = visit;
  const code = form.get('code')?.replaceAll(/\s/g, '');
  if (code === undefined) {
    leadTo(ctx, pathOf(desk.addresses, payment, 'code'));
  } else if (code === '') {
    await refuse(desk, ctx, { visit, view: 'code' });
  } else {
    const outcome = code === SANDBOX_3DS_CODE ? 'approve_3ds' : 'authentication_failed';
    await record(desk, ctx, { visit, outcome });
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
  { visit, outcome }: { visit: BankVisit; outcome: DecisionName },
): Promise<void> {
  const { payment, now } = visit;
  const decision = sandboxDecision(outcome, now);
  const decided = await recordDecision(desk.mongo, payment, decision);
  // A silent bank tells nobody anything, so there is nothing to wake the workflow for.
  if (decided && decision.says.answer !== 'none') {
    await soon(desk, decided, async () => desk.temporal.wakePayment(decided));
  }
  if (decided) await moveOn(desk, ctx, { token: payment.checkout_token, payment: null });
  else await moveOnFrom(desk, ctx, visit);
}

/**
 * Responds to a choice that decided nothing. Shows the reason if the attempt has ended, and
 * otherwise leads to the payment's current page.
 */
async function moveOnFrom(desk: Desk, ctx: RouterContext, visit: BankVisit): Promise<void> {
  const payment = (await paymentById(desk.mongo, visit.payment._id)) ?? visit.payment;
  const view = lateViewOf(payment, visit.attemptId);
  if (view) await showView(desk, ctx, { visit: { ...visit, payment }, view, status: 409 });
  else await moveOn(desk, ctx, { token: payment.checkout_token, payment });
}

/**
 * Records that the customer turns back. The workflow carries it out now, or the sweep does when
 * Temporal is away. The customer waits here, and then on a page that reloads by itself.
 */
async function leaveBank(desk: Desk, ctx: RouterContext, visit: BankVisit): Promise<void> {
  const { payment, now } = visit;
  const leaving = await turnBack(desk.mongo, payment, now);
  if (leaving) {
    const look = { kind: 'look' } as const;
    await soon(desk, leaving, async () =>
      desk.temporal.askPayment(leaving, look, mintId('request')),
    );
  }
  await moveOn(desk, ctx, { token: payment.checkout_token, payment: null });
}

/**
 * Calls the workflow. Logs a failure instead of throwing it: the customer's choice is already
 * recorded, and the sweep wakes the workflow.
 */
async function soon(desk: Desk, { _id }: Payment, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    desk.log.warn({ err: error, payment_id: _id }, 'the workflow was not woken at once');
  }
}
