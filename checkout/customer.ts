/** The customer's own pages and steps: look, pay, cancel, check again. */
import { mayOpenAttempt } from '../domain/payment.ts';
import { mintId } from '../store/mint.ts';
import { openAttempt } from '../store/attempts.ts';
import { checkCard } from './card.ts';
import { readForm } from './form.ts';
import { destinationOf } from './table.ts';
import { answerPage, leadTo, moveOn, showView, visitByToken } from './visit.ts';
import type { PageHandler } from './visit.ts';

export const showCheckout: PageHandler = async (desk, ctx) => {
  const visit = await visitByToken(desk, ctx);
  await answerPage(desk, ctx, { visit, page: 'checkout' });
};

export const showCancel: PageHandler = async (desk, ctx) => {
  const visit = await visitByToken(desk, ctx);
  await answerPage(desk, ctx, { visit, page: 'cancel' });
};

/**
 * What the waiting page asks again and again: the payment's status, and which view its checkout
 * address leads to now; the page loads itself anew when that is no longer the one it shows.
 */
export const tellStatus: PageHandler = async (desk, ctx) => {
  const { payment, situation } = await visitByToken(desk, ctx);
  ctx.body = { status: payment.status, view: destinationOf(situation, 'checkout').view };
};

/** Opens an attempt and sends the customer to the bank. A second press finds it opened. */
export const pay: PageHandler = async (desk, ctx) => {
  const visit = await visitByToken(desk, ctx);
  const { payment, now, situation } = visit;
  const check = checkCard(await readForm(ctx));
  const token = payment.checkout_token;
  if (situation !== 'open' || !mayOpenAttempt(payment, now)) {
    await moveOn(desk, ctx, { token, payment });
  } else if ('errors' in check) {
    await showView(desk, ctx, { visit, view: 'form', status: 422, faults: check.errors });
  } else {
    const { card } = check;
    const { mongo, bankTimeoutMs } = desk;
    const opened = await openAttempt(mongo, payment, { card, now, bankTimeoutMs });
    await moveOn(desk, ctx, { token, payment: opened });
  }
};

/** Cancels for the customer; a payment that is at the bank is not canceled, and he reads why. */
export const cancel: PageHandler = async (desk, ctx) => {
  const visit = await visitByToken(desk, ctx);
  const { payment, situation } = visit;
  await readForm(ctx);
  let { status } = payment;
  if (situation === 'open') {
    const id = mintId('request');
    const wish = { kind: 'cancel', by: 'customer', request_id: id } as const;
    const settled = await desk.temporal.askPayment(payment, wish, id);
    if (settled.status !== 'missing') status = settled.status;
  }
  if (status === 'processing') {
    await showView(desk, ctx, { visit, view: 'refused', status: 409 });
  } else {
    leadTo(ctx, desk.addresses.checkout(payment.checkout_token));
  }
};

/**
 * Lets the payment's workflow ask the silent bank. While the bank still has time nothing is asked
 * of Temporal at all, so that clicks cannot lengthen a history.
 */
export const checkAgain: PageHandler = async (desk, ctx) => {
  const { payment, situation } = await visitByToken(desk, ctx);
  await readForm(ctx);
  if (situation === 'silent') {
    await desk.temporal.askPayment(payment, { kind: 'look' }, mintId('request'));
  }
  leadTo(ctx, desk.addresses.checkout(payment.checkout_token));
};
