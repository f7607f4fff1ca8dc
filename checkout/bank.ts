/**
 * The sandbox bank. A decision is one conditional write. Only the request whose write succeeds
 * wakes the payment's workflow.
 */
import { CHOICES, SANDBOX_3DS_CODE, sandboxDecision } from '../domain/bank.ts';
import type { DecisionName } from '../domain/bank.ts';
import { recordDecision, turnBack } from '../store/attempts.ts';
import { mintId } from '../store/mint.ts';
import { readForm } from './form.ts';
import { reload } from './request.ts';
import type { BankRequest, CheckoutRequest } from './request.ts';
import { redirect, redirectHome, showPage, showView } from './response.ts';
import { lateViewOf } from './state.ts';

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
  const { ctx, payment, attemptId, isStale } = request;
  const form = await readForm(ctx);
  const outcome = CHOICES.find((choice) => choice === form.get('outcome'));
  const lateView = outcome && outcome !== 'turn_back' && lateViewOf(payment, attemptId);
  if (lateView) await showView(request, { view: lateView, status: 409 });
  else if (isStale) redirectHome(request);
  else if (outcome === 'turn_back') await leaveBank(request);
  else if (outcome === 'approve_3ds') await checkCode(request, form.get('code'));
  else if (outcome) await record(request, outcome);
  else await refuse(request, 'bank');
}

/** Redirects to the code page if the form has no code. A wrong code is a decline. */
async function checkCode(request: BankRequest, given: string | undefined): Promise<void> {
  const code = given?.replaceAll(/\s/g, '');
  if (code === undefined) redirect(request, 'code');
  else if (code === '') await refuse(request, 'code');
  else await record(request, code === SANDBOX_3DS_CODE ? 'approve_3ds' : 'authentication_failed');
}

const ERRORS = { bank: { outcome: 'error.outcome' }, code: { code: 'error.code' } } as const;

/** Shows the form again with its error if the attempt can still be decided, else redirects. */
async function refuse(request: CheckoutRequest, view: 'bank' | 'code'): Promise<void> {
  if (request.state !== 'at_bank') redirectHome(request);
  else await showView(request, { view, status: 422, errors: ERRORS[view] });
}

/** Records the decision and redirects. If the attempt has already ended, explains why. */
async function record(request: BankRequest, outcome: DecisionName): Promise<void> {
  const { services, payment, now, attemptId } = request;
  const { mongo, temporal } = services;
  const decision = sandboxDecision(outcome, now);
  const decided = await recordDecision(mongo, payment, decision);
  // If the bank stays silent, the workflow has nothing to settle.
  if (decided && decision.says.answer !== 'none') {
    await callWorkflow(request, async () => temporal.wakePayment(decided));
  }
  const after = await reload(request);
  const lateView = decided ? undefined : lateViewOf(after.payment, attemptId);
  if (lateView) await showView(after, { view: lateView, status: 409 });
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
