/** Requests about a payment: finds the payment, and the state that decides which page is shown. */
import type { RouterContext } from '@koa/router';
import { choicesFor } from '../domain/bank.ts';
import { methodOf } from '../domain/method.ts';
import { lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { Lookup } from '../http/lookup.ts';
import type { Log } from '../log.ts';
import type { PageFile } from '../store/files.ts';
import type { StoredLogo } from '../store/logos.ts';
import { isToken } from '../store/mint.ts';
import type { Mongo } from '../store/mongo.ts';
import { paymentById } from '../store/payments.ts';
import type { Temporal } from '../temporal/client.ts';
import type { Addresses } from './address.ts';
import type { Assets } from './assets.ts';
import { chooseLocale } from './context.ts';
import { stateOf } from './state.ts';
import type { PageState } from './state.ts';

/** The dependencies of every handler. */
export interface Services {
  readonly mongo: Mongo;
  readonly temporal: Temporal;
  readonly log: Log;
  readonly addresses: Addresses;
  readonly assets: Assets;
  /** The time that the bank has to answer. */
  readonly bankTimeoutMs: number;
  /** Finds the payment with that token. Limits the queries for made-up tokens. */
  readonly findByToken: Lookup<Payment>;
  /** Finds the logo of that id, in the same way. */
  readonly findLogo: Lookup<StoredLogo>;
  /** Finds the file of that hash, for pages of other versions. */
  readonly findFile: Lookup<PageFile>;
}

export interface CheckoutRequest {
  readonly services: Services;
  readonly ctx: RouterContext;
  readonly payment: Payment;
  readonly state: PageState;
  readonly now: Date;
}

/** A request to the bank about one attempt. */
export interface BankRequest extends CheckoutRequest {
  readonly attemptId: string;
  /** What can be chosen at the bank for the attempt's method. */
  readonly choices: ReturnType<typeof choicesFor>;
  /** True if the payment has a later attempt. */
  readonly isStale: boolean;
}

/** Loads the payment by the token in the address. Throws a 404 error for an unknown token. */
export async function loadByToken(
  services: Services,
  ctx: RouterContext,
): Promise<CheckoutRequest> {
  const token = ctx.params['token'] ?? '';
  const payment = isToken(token) ? await services.findByToken(token) : undefined;
  if (!payment) ctx.throw(404);
  return makeRequest(services, ctx, payment);
}

/** Loads the payment of a signed address. Throws 404 without a valid signature or an attempt. */
export async function loadByAttempt(services: Services, ctx: RouterContext): Promise<BankRequest> {
  const { paymentId = '', attemptId = '', signature = '' } = ctx.params;
  if (!services.addresses.isSigned({ paymentId, attemptId }, signature)) ctx.throw(404);
  const payment = await paymentById(services.mongo, paymentId);
  const attempt = payment?.attempts.find(({ id }) => id === attemptId);
  if (!payment || !attempt) ctx.throw(404);
  const choices = choicesFor(methodOf(attempt).type);
  const isStale = lastAttempt(payment)?.id !== attemptId;
  return { ...makeRequest(services, ctx, payment), attemptId, choices, isStale };
}

/** Returns the request with the current payment, which is `known` or read again. */
export async function reload(
  request: CheckoutRequest,
  known?: Payment | null,
): Promise<CheckoutRequest> {
  const { services, ctx, payment } = request;
  const current = known ?? (await paymentById(services.mongo, payment._id));
  if (!current) request.ctx.throw(404);
  return makeRequest(services, ctx, current);
}

function makeRequest(services: Services, ctx: RouterContext, payment: Payment): CheckoutRequest {
  // If the handler throws, the error page uses this language.
  ctx.state['locale'] = chooseLocale(ctx, payment);
  const now = new Date();
  const { bankTimeoutMs } = services;
  return { services, ctx, payment, now, state: stateOf(payment, { now, bankTimeoutMs }) };
}
