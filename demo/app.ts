/** Every address of the shop. */

import { randomBytes } from 'node:crypto';

import { Router, type RouterContext } from '@koa/router';
import Koa, { HttpError, type Context, type Next } from 'koa';
import helmet from 'koa-helmet';
import type { Logger } from 'pino';
import rawBody from 'raw-body';

import { TollgateApiError, TollgateConnectionError } from '../sdk/index.ts';
import { findGood } from './goods.ts';
import type { Live } from './live.ts';
import type { Order, Orders } from './orders.ts';
import { noPaymentPage, noticePage, orderPage, ordersPage, shopPage } from './pages.tsx';
import { createAssets } from './static.ts';
import type { Till } from './till.ts';
import type { Receipt } from './webhooks.ts';

/** An order form holds two short fields. */
const FORM_MAX_BYTES = 4 * 1024;
/** The service's events are a few KiB; the room above it is for metadata. */
const WEBHOOK_MAX_BYTES = 256 * 1024;
/** 128 bits: two forms must never share a token. */
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
    // Browsers hold the redirect after a form to this too, and the checkout page lives elsewhere.
    formAction: ["'self'", 'http:', 'https:'],
  },
};

interface AppOptions {
  orders: Orders;
  till: Till;
  live: Live;
  receive: (headers: Context['headers'], body: Buffer) => Promise<Receipt>;
  log: Logger;
}

/** The Koa application; listens to nothing yet. */
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
  app.use((ctx, next) => answerErrors(ctx, next, options.log));
  const router = createRoutes(options);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

function createRoutes(options: AppOptions): Router {
  const router = new Router();
  // `/orders/events` would be taken for an order's page if that came first.
  addFeeds(router, options);
  addPages(router, options);
  router.post('/webhooks', async (ctx) => {
    // As bytes: the signature is over exactly these.
    const body = await rawBody(ctx.req, { limit: WEBHOOK_MAX_BYTES });
    const receipt = await options.receive(ctx.headers, body);
    ctx.status = receipt.status;
    ctx.body = receipt.body;
  });
  const sendAsset = createAssets();
  router.get('/assets/:name', (ctx) => sendAsset(ctx, String(ctx['params'].name)));
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  return router;
}

function addPages(router: Router, options: AppOptions): void {
  const { orders, till } = options;
  router.get('/', (ctx) => show(ctx, shopPage(mintToken)));
  router.get('/orders', (ctx) => show(ctx, ordersPage(orders.list(), String(orders.revision))));
  router.post('/orders', (ctx) => takeOrder(ctx, options));
  router.get(ORDER_PATH, (ctx) => {
    const order = findOrder(ctx, orders);
    // Arriving proves nothing; it is only a good moment to ask.
    till.glance(order);
    const returned = order.payment_id !== null && ctx.query['payment'] === order.payment_id;
    show(ctx, orderPage(order, returned));
  });
}

function addFeeds(router: Router, { orders, live }: AppOptions): void {
  router.get('/orders/events', (ctx) => {
    live.open(ctx, {
      revision: () => String(orders.revision),
      subscribe: (changed) => orders.onChange(changed),
    });
  });
  router.get(`${ORDER_PATH}/events`, (ctx) => {
    const order = findOrder(ctx, orders);
    live.open(ctx, {
      revision: () => String(order.history.length),
      subscribe: (changed) => orders.onChange((other) => other === order && changed()),
    });
  });
}

/** One form, one order, one payment, however often the form is sent. */
async function takeOrder(ctx: Context, { orders, till }: AppOptions): Promise<void> {
  if (!ctx.is('application/x-www-form-urlencoded')) ctx.throw(415, 'An order comes as a form.');
  const text = await rawBody(ctx.req, { limit: FORM_MAX_BYTES, encoding: 'utf8' });
  const form = new URLSearchParams(text);
  const good = findGood(form.get('sku') ?? '');
  if (!good) return ctx.throw(400, 'We do not sell that.');
  const token = form.get('token') ?? mintToken();
  if (!TOKEN.test(token)) ctx.throw(400, 'The form is damaged; load the shop anew.');
  const order = orders.place(good, token);
  if (order.sku !== good.sku) ctx.throw(400, 'This form was used already; load the shop anew.');
  // The order is on the disk before any money can move for it.
  await orders.save();
  if (order.status !== 'open') return seeOther(ctx, `/orders/${order.id}`);
  try {
    seeOther(ctx, await till.pay(order));
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
  // A page holds fresh tokens and the state of orders: the back button must not revive an old one.
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = html;
}

/** A caller's mistake is named; a fault of ours is logged in full and answered with nothing. */
async function answerErrors(ctx: Context, next: Next, log: Logger): Promise<void> {
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
    // The rest of a body that was refused half-way is not read; the connection cannot be reused.
    if (status === 413) ctx.set('Connection', 'close');
  }
  ctx.status = status;
  if (ctx.path === '/webhooks') ctx.body = { error: status === 500 ? 'try again' : reason };
  else show(ctx, noticePage(status, reason));
}
