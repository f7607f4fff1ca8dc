/** A customer's visit: finding the payment, and answering by the table. */
import type { RouterContext } from '@koa/router';
import { lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { Log } from '../log.ts';
import { findMerchant } from '../store/merchants.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Lookup } from '../http/lookup.ts';
import { isToken } from '../store/mint.ts';
import { paymentById, findByToken } from '../store/payments.ts';
import type { Temporal } from '../temporal/client.ts';
import type { Addresses } from './address.ts';
import type { Assets } from './assets.ts';
import { drawView } from './pages/views.tsx';
import type { Faults } from './pages/views.tsx';
import { chooseLocale, keepLanguage, pathOf, sceneLinks, setStage } from './scene.ts';
import { TABLE, destinationOf, situationOf } from './table.ts';
import type { LateView, PageName, Situation, View } from './table.ts';

/** What every handler of this room works with. */
export interface Desk {
  readonly mongo: Mongo;
  readonly temporal: Temporal;
  readonly log: Log;
  readonly addresses: Addresses;
  readonly assets: Assets;
  readonly bankTimeoutMs: number;
  /** Finds the current payment of a token. Limits the queries that made-up tokens cost. */
  readonly findByToken: Lookup<Payment>;
}

export interface Visit {
  readonly payment: Payment;
  readonly situation: Situation;
  readonly now: Date;
}

export type PageHandler = (desk: Desk, ctx: RouterContext) => Promise<void>;

/** The visit to the payment of the token in the address. Throws 404 when there is none. */
export async function visitByToken(desk: Desk, ctx: RouterContext): Promise<Visit> {
  const token = ctx.params['token'] ?? '';
  const payment = isToken(token) ? await desk.findByToken(token) : undefined;
  if (!payment) ctx.throw(404);
  return startVisit(desk, ctx, payment);
}

/**
 * The visit to the bank with the attempt of a signed address, which may be an earlier one
 * (`stale`). Throws 404 when the address is not signed or the attempt does not exist.
 */
export async function visitByAttempt(
  desk: Desk,
  ctx: RouterContext,
): Promise<Visit & { attemptId: string; stale: boolean }> {
  const { paymentId = '', attemptId = '', signature = '' } = ctx.params;
  if (!desk.addresses.isSigned({ paymentId, attemptId }, signature)) ctx.throw(404);
  const payment = await paymentById(desk.mongo, paymentId);
  if (!payment?.attempts.some(({ id }) => id === attemptId)) ctx.throw(404);
  const stale = lastAttempt(payment)?.id !== attemptId;
  return { ...startVisit(desk, ctx, payment), attemptId, stale };
}

function startVisit(desk: Desk, ctx: RouterContext, payment: Payment): Visit {
  // Should something fail from here on, the error page speaks the payment's language.
  ctx.state['locale'] = chooseLocale(ctx, payment);
  const now = new Date();
  const { bankTimeoutMs } = desk;
  return { payment, now, situation: situationOf(payment, { now, bankTimeoutMs }) };
}

/** Answers a GET of `page`: what the table shows there, or where it sends to. */
export async function answerPage(
  desk: Desk,
  ctx: RouterContext,
  { visit, page }: { visit: Visit; page: PageName },
): Promise<void> {
  const cell = TABLE[visit.situation][page];
  if ('go' in cell) leadTo(ctx, pathOf(desk.addresses, visit.payment, cell.go));
  else await showView(desk, ctx, { visit, view: cell.show });
}

/** Draws a view of the payment as the answer. */
export async function showView(
  desk: Desk,
  ctx: RouterContext,
  shown: { visit: Visit; view: View | 'refused' | LateView; status?: number; faults?: Faults },
): Promise<void> {
  const { visit, view, status = 200, faults = {} } = shown;
  const { payment, now } = visit;
  const page = view === 'cancel' || view === 'bank' || view === 'code' ? view : 'checkout';
  const stage = setStage(
    { locale: chooseLocale(ctx, payment), assets: desk.assets },
    pathOf(desk.addresses, payment, page),
  );
  const links = sceneLinks(desk.addresses, payment, (path) => keepLanguage(ctx, path));
  const merchant = await findMerchant(desk.mongo, payment.merchant_id);
  const scene = { ...stage, payment, payee: merchant?.name ?? null, now, links };
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = drawView(scene, view, faults);
}

/** Sends the customer on with a GET, in the language he chose. */
export function leadTo(ctx: RouterContext, path: string): void {
  ctx.status = 303;
  ctx.redirect(keepLanguage(ctx, path));
}

/** After a step: sends the customer where the table says, by the payment as it is now. */
export async function moveOn(
  desk: Desk,
  ctx: RouterContext,
  known: { token: string; payment?: Payment | null },
): Promise<void> {
  const payment = known.payment ?? (await findByToken(desk.mongo, known.token));
  if (!payment) ctx.throw(404);
  const { bankTimeoutMs } = desk;
  const situation = situationOf(payment, { now: new Date(), bankTimeoutMs });
  leadTo(ctx, pathOf(desk.addresses, payment, destinationOf(situation, 'checkout').page));
}
