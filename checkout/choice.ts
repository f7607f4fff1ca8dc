/**
 * The customer's choice of a method. It is a parameter of the address, like the language, so it
 * needs no script and no cookie. Without it, the method is a card.
 */
import type { Context } from 'koa';
import { lastMethod, methodsFor } from '../domain/method.ts';
import { lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { AddressName } from './address.ts';
import { keepLanguage } from './context.ts';
import type { PaymentContext } from './context.ts';
import { METHODS } from './methods/index.ts';
import type { Method } from './methods/method.ts';
import type { CheckoutRequest } from './request.ts';
import type { Translate } from './text.ts';

/** Returns the method of a submitted form; undefined if the payment cannot be paid by it. */
export function submittedMethod(ctx: Context, payment: Payment): Method | undefined {
  const { method: name = METHODS.card.type } = ctx.query;
  const type = methodsFor(payment).find((each) => each === name);
  return type && METHODS[type];
}

/** Returns the method whose form is shown. After a decline, it is that of the declined attempt. */
function shownMethod(ctx: Context, payment: Payment): Method {
  const isUnchosen = ctx.query['method'] === undefined && ctx.method !== 'POST';
  const isDeclined = lastAttempt(payment)?.status === 'declined';
  if (isUnchosen && isDeclined) return attemptMethod(payment);
  return submittedMethod(ctx, payment) ?? METHODS.card;
}

/** Returns the method of the last attempt; a card before the first one. */
function attemptMethod(payment: Payment): Method {
  return METHODS[lastMethod(payment)?.type ?? 'card'];
}

interface Chosen extends Pick<PaymentContext, 'method' | 'choices'> {
  /** Returns the payment's path of that name, with the choice if the page needs it there. */
  readonly path: (name: AddressName) => string;
}

/** Returns what the page has to know of the methods. Only the form has a choice. */
export function chosenBy(request: CheckoutRequest, isForm: boolean): Chosen {
  const { ctx, payment, services } = request;
  const path = (name: AddressName) => services.addresses.of(payment, name);
  if (!isForm) return { method: attemptMethod(payment), choices: [], path };
  const method = shownMethod(ctx, payment);
  const pathBy = (type: Method['type'], name: AddressName) => `${path(name)}?method=${type}`;
  const choices = methodsFor(payment).map((type) => ({
    type,
    name: METHODS[type].name,
    href: keepLanguage(ctx, pathBy(type, 'checkout')),
  }));
  // The card's addresses stay as they are without a choice.
  const hasChosen = ctx.query['method'] === method.type || method !== METHODS.card;
  return {
    method,
    choices,
    path: (name) => (hasChosen && WITH_CHOICE.has(name) ? pathBy(method.type, name) : path(name)),
  };
}

/** The addresses that depend on the choice. */
const WITH_CHOICE: ReadonlySet<AddressName> = new Set(['checkout', 'pay']);

/** Returns the texts of a page in the words of the last attempt's method. */
export function inWordsOf(payment: Payment, t: Translate): Translate {
  const { texts } = attemptMethod(payment);
  return (key, values) => t(texts[key] ?? key, values);
}
