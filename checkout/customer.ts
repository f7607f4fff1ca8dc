/** The customer's requests at the checkout: pay, cancel, check again. */
import { mayOpenAttempt } from '../domain/payment.ts';
import { openAttempt } from '../store/attempts.ts';
import { mintId } from '../store/mint.ts';
import { submittedMethod } from './choice.ts';
import { readForm } from './form.ts';
import { reload } from './request.ts';
import type { CheckoutRequest } from './request.ts';
import { redirect, redirectHome, showView } from './response.ts';
import { homeOf, viewAt } from './state.ts';

/** Responds with the payment's status and view. A waiting page reloads when the view changes. */
export async function sendStatus({ ctx, payment, state }: CheckoutRequest): Promise<void> {
  ctx.body = { status: payment.status, view: viewAt(state, homeOf(state)) };
}

/**
 * Opens an attempt, and redirects to the bank or to instructions. A repeated request gets the same
 * attempt.
 */
export async function pay(request: CheckoutRequest): Promise<void> {
  const { services, ctx, payment, now, state } = request;
  const form = await readForm(ctx);
  const method = submittedMethod(ctx, payment);
  const check = method?.check(form, now) ?? { errors: { method: 'error.method' } as const };
  if (state !== 'open' || !mayOpenAttempt(payment, now)) {
    redirectHome(request);
  } else if ('errors' in check) {
    await showView(request, { view: 'form', status: 422, errors: check.errors });
  } else {
    const { mongo, bankTimeoutMs } = services;
    const opened = await openAttempt(mongo, payment, { tender: check.tender, now, bankTimeoutMs });
    redirectHome(await reload(request, opened));
  }
}

/** Cancels the payment for the customer. Responds with 409 and the reason if it is at the bank. */
export async function cancel(request: CheckoutRequest): Promise<void> {
  const { services, ctx, payment, state } = request;
  await readForm(ctx);
  let { status } = payment;
  if (state === 'open') {
    const id = mintId('request');
    const message = { kind: 'cancel', by: 'customer', request_id: id } as const;
    const settled = await services.temporal.askPayment(payment, message, id);
    if (settled.status !== 'missing') status = settled.status;
  }
  if (status === 'processing') await showView(request, { view: 'refused', status: 409 });
  else redirect(request, 'checkout');
}

/**
 * Makes the payment's workflow ask the silent bank. Before the bank's time limit, it does not call
 * Temporal, so that clicks cannot lengthen the workflow's history.
 */
export async function checkAgain(request: CheckoutRequest): Promise<void> {
  const { services, ctx, payment, state } = request;
  await readForm(ctx);
  if (state === 'silent') {
    await services.temporal.askPayment(payment, { kind: 'look' }, mintId('request'));
  }
  redirect(request, 'checkout');
}
