/**
 * The sandbox bank. A decision is one conditional write. Only the request whose write succeeds
 * wakes the payment's workflow.
 */
import { MAX_WRONG_CODES, SANDBOX_3DS_CODE, sandboxDecision } from '../domain/bank.ts';
import type { DecisionName } from '../domain/bank.ts';
import { lastAttempt } from '../domain/payment.ts';
import { recordDecision, turnBack } from '../store/attempts.ts';
import { recordCode } from '../store/codes.ts';
import { mintId } from '../store/mint.ts';
import { readForm } from './form.ts';
import type { Form } from './form.ts';
import { reload } from './request.ts';
import type { BankRequest, CheckoutRequest } from './request.ts';
import { redirect, redirectHome, showPage, showView } from './response.ts';
import { lateViewOf, viewAt } from './state.ts';

/** Creates the handler of a page at the bank. The page of an earlier attempt redirects. */
export function showBank(address: 'bank' | 'code') {
  const show = showPage(address);
  return async (request: BankRequest): Promise<void> => {
    if (request.isStale) redirect(request, 'checkout');
    else await show(request);
  };
}

/** Carries out the customer's choice at the bank. */
export async function decide(request: BankRequest): Promise<void> {
  const { ctx, payment, attemptId, choices, isStale } = request;
  const form = await readForm(ctx);
  // The buttons at the top of the page have a name of their own: `[name="outcome"]` is the list.
  const given = form.get('quick') ?? form.get('outcome');
  const outcome = choices.find((choice) => choice === given);
  const lateView = outcome && outcome !== 'turn_back' && lateViewOf(payment, attemptId);
  if (lateView) await showView(request, { view: lateView, status: 409 });
  else if (isStale) redirectHome(request);
  else if (outcome === 'turn_back') await leaveBank(request);
  else if (outcome === 'approve_3ds') await checkCode(request, form);
  else if (outcome) await record(request, outcome);
  else await refuse(request, 'bank');
}

const CODE = /^\d{6}$/;

/**
 * Checks the code of 3-D Secure. The last wrong one is a decline. The others are counted, and the
 * page says so. The form has the count of its page: a repeated request, or one of another tab, has
 * an old count, so its code is not checked at all.
 */
async function checkCode(request: BankRequest, form: Form): Promise<void> {
  const { services, payment } = request;
  const code = form.get('code')?.replaceAll(/\s/g, '');
  const count = lastAttempt(payment)?.wrong_codes ?? 0;
  // Pages of an earlier version have no count.
  const isCurrent = (form.get('wrong_codes') ?? String(count)) === String(count);
  if (code === undefined) redirect(request, 'code');
  else if (!CODE.test(code)) await refuse(request, 'code');
  else if (!isCurrent) redirect(request, 'code');
  else if (code === SANDBOX_3DS_CODE) await record(request, 'approve_3ds', recordCode);
  else if (count + 1 >= MAX_WRONG_CODES) await record(request, 'authentication_failed', recordCode);
  else {
    await recordCode(services.mongo, payment, undefined);
    redirect(request, 'code');
  }
}

const ERRORS = { bank: { outcome: 'error.outcome' }, code: { code: 'error.code' } } as const;

/** Shows the form again with its error if the attempt can still be decided, else redirects. */
async function refuse(request: CheckoutRequest, view: 'bank' | 'code'): Promise<void> {
  if (!viewAt(request.state, view)) redirectHome(request);
  else await showView(request, { view, status: 422, errors: ERRORS[view] });
}

/** Records the decision and redirects. If the attempt has already ended, explains why. */
async function record(
  request: BankRequest,
  outcome: DecisionName,
  write = recordDecision,
): Promise<void> {
  const { services, payment, now, attemptId } = request;
  const { mongo, temporal } = services;
  const decision = sandboxDecision(outcome, now);
  const decided = await write(mongo, payment, decision);
  // If the bank stays silent, the workflow has nothing to settle.
  if (decided && decision.says.answer !== 'none') {
    await callWorkflow(request, async () => temporal.wakePayment(decided));
  }
  const after = await reload(request, decided);
  const lateView = decided ? undefined : lateViewOf(after.payment, attemptId);
  if (lateView) await showView(after, { view: lateView, status: 409 });
  // Another code was checked meanwhile, so the bank has not checked this one.
  else if (!decided && after.state === 'at_bank') redirect(after, 'code');
  else redirectHome(after);
}

/**
 * Records that the customer turned back, and wakes the workflow, which cancels the attempt. If
 * Temporal is unavailable, the sweep wakes it later. Until then a page that reloads is shown.
 */
async function leaveBank(request: BankRequest): Promise<void> {
  const { services, payment, now } = request;
  const { mongo, temporal } = services;
  const leaving = await turnBack(mongo, payment, now);
  if (leaving) {
    await callWorkflow(request, async () =>
      temporal.askPayment(leaving, { kind: 'look' }, mintId('request')),
    );
  }
  redirectHome(await reload(request));
}

/**
 * Calls the workflow. Logs a failure instead of throwing it: the customer's choice is already
 * recorded, and the sweep wakes the workflow.
 */
async function callWorkflow(
  { services, payment }: BankRequest,
  call: () => Promise<unknown>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    services.log.warn(
      { err: error, payment_id: payment._id },
      'a workflow could not be woken; the sweep wakes it later',
    );
  }
}
