/** All routes of the shop. */

import { randomBytes } from 'node:crypto';

import { Router, type RouterContext } from '@koa/router';
import Koa, { HttpError, type Context, type Next } from 'koa';
import helmet from 'koa-helmet';
import type { Logger } from 'pino';
import rawBody from 'raw-body';

import { TollgateApiError, TollgateConnectionError } from '../sdk/index.ts';
import { createAssets } from './assets.ts';
import { findGood } from './goods.ts';
import type { Order, Orders } from './orders.ts';
import { errorPage, noPaymentPage, orderPage, ordersPage, shopPage } from './pages.tsx';
import type { Payments } from './payments.ts';
import type { Updates } from './updates.ts';
import type { Receive } from './webhooks.ts';

/** An order form holds two short fields. */
const FORM_MAX_BYTES = 4 * 1024;
/** Events have a few KiB, and more with large metadata. */
const WEBHOOK_MAX_BYTES = 256 * 1024;
/** 128 bits: two forms must never have the same token. */
const TOKEN_BYTES = 16;
const TOKEN = /^[0-9a-f]{32}$/;
const ORDER_PATH = '/orders/:id';

const CONTENT_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    // This covers the redirect after a form too, and the checkout page has another origin.
    formAction: ["'self'", 'http:', 'https:'],
  },
};

interface AppOptions {
  orders: Orders;
  payments: Payments;
  updates: Updates;
  receive: Receive;
  log: Logger;
}

/** Creates the Koa application. */
export function createApp(options: AppOptions): Koa {
  const app = new Koa();
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'request failed'));
  app.use(
    helmet({
      contentSecurityPolicy: CONTENT_POLICY,
      // The shop runs on plain http on a developer's machine.
      strictTransportSecurity: false,
    }),
  );
  app.use((ctx, next) => handleErrors(ctx, next, options.log));
  const router = createRoutes(options);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

function createRoutes(options: AppOptions): Router {
  const { orders, payments, updates } = options;
  const router = new Router();
  router.get('/', (ctx) => show(ctx, shopPage(mintToken)));
  router.get('/orders', (ctx) => show(ctx, ordersPage(orders.list(), orders.revision)));
  router.post('/orders', (ctx) => placeOrder(ctx, options));
  // Before the route of an order, which would match it too.
  router.get('/orders/events', (ctx) => updates.open(ctx));
  router.get(`${ORDER_PATH}/events`, (ctx) => updates.open(ctx, findOrder(ctx, orders)));
  router.get(ORDER_PATH, (ctx) => {
    const order = findOrder(ctx, orders);
    // The customer's return proves nothing, but it is a good time to retrieve the payment.
    payments.refresh(order);
    const returned = order.payment_id !== null && ctx.query['payment'] === order.payment_id;
    show(ctx, orderPage(order, returned));
  });
  router.post('/webhooks', async (ctx) => {
    // The signature covers these exact bytes.
    const body = await rawBody(ctx.req, { limit: WEBHOOK_MAX_BYTES });
    Object.assign(ctx, await options.receive(ctx.headers, body));
  });
  const sendAsset = createAssets();
  router.get('/assets/:name', (ctx) => sendAsset(ctx, String(ctx['params'].name)));
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  return router;
}

/** Places one order with one payment, however often its form is sent. */
async function placeOrder(ctx: Context, { orders, payments }: AppOptions): Promise<void> {
  if (!ctx.is('application/x-www-form-urlencoded')) ctx.throw(415, 'Send the order as a form.');
  const text = await rawBody(ctx.req, { limit: FORM_MAX_BYTES, encoding: 'utf8' });
  const form = new URLSearchParams(text);
  const good = findGood(form.get('sku') ?? '') ?? ctx.throw(400, 'We do not sell that.');
  const token = form.get('token') ?? mintToken();
  if (!TOKEN.test(token)) ctx.throw(400, 'The form is damaged; reload the shop.');
  const order = orders.place(good, token);
  if (order.sku !== good.sku) ctx.throw(400, 'This form was used already; reload the shop.');
  // The order must be on the disk before money can move for it.
  await orders.save();
  if (order.status !== 'open') return seeOther(ctx, `/orders/${order.id}`);
  try {
    seeOther(ctx, await payments.create(order));
  } catch (error) {
    if (!(error instanceof TollgateConnectionError || error instanceof TollgateApiError))
      throw error;
    ctx.status = 502;
    show(ctx, noPaymentPage(order, error));
  }
}

function findOrder(ctx: RouterContext, orders: Orders): Order {
  return orders.get(String(ctx.params.id)) ?? ctx.throw(404, 'There is no such order.');
}

function mintToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.status = 303;
}

function show(ctx: Context, html: string): void {
  // Pages hold form tokens and statuses, so the back button must not show an old one.
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = html;
}

/** Explains a bad request. Logs an error of the shop, and shows no details of it. */
async function handleErrors(ctx: Context, next: Next, log: Logger): Promise<void> {
  let status = 404;
  let reason = 'There is nothing at this address.';
  try {
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined) return;
  } catch (error) {
    status = 500;
    reason = 'That was our fault, not yours.';
    if (error instanceof HttpError && error.expose) {
      status = error.status;
      reason = error.message;
    } else log.error({ err: error, path: ctx.path }, 'request failed');
    // The rest of a refused body is not read, so the connection cannot be used again.
    if (status === 413) ctx.set('Connection', 'close');
  }
  ctx.status = status;
  if (ctx.path === '/webhooks') ctx.body = { error: status === 500 ? 'try again' : reason };
  else show(ctx, errorPage(status, reason));
}
