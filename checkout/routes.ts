/** Every route of the checkout. Those of a payment load it, then run a handler. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import { startRequestSpan } from '../tracing/requests.ts';
import { sendAsset } from './assets.ts';
import { decide, showBank } from './bank.ts';
import { sendColour } from './colour.ts';
import { cancel, checkAgain, pay, sendStatus } from './customer.ts';
import { sendLogo } from './logo.ts';
import { loadByAttempt, loadByToken } from './request.ts';
import type { BankRequest, CheckoutRequest, Services } from './request.ts';
import { showPage } from './response.ts';

const BANK = '/bank/:paymentId/:attemptId/:signature';

/** Creates the router. A GET route responds to HEAD as well. */
export function makeRoutes(services: Services): Router {
  const router = new Router({ strict: true, sensitive: true });
  const customer =
    (handle: (request: CheckoutRequest) => Promise<void>) => async (ctx: RouterContext) =>
      handle(traced(await loadByToken(services, ctx)));
  const bank = (handle: (request: BankRequest) => Promise<void>) => async (ctx: RouterContext) =>
    handle(traced(await loadByAttempt(services, ctx)));

  router.get('/c/:token', customer(showPage('checkout')));
  router.get('/c/:token/status', async (ctx) => sendStatus(await loadByToken(services, ctx)));
  router.post('/c/:token/pay', customer(pay));
  router.get('/c/:token/cancel', customer(showPage('cancel')));
  router.post('/c/:token/cancel', customer(cancel));
  router.post('/c/:token/check', customer(checkAgain));
  router.get('/c/:token/receipt', customer(showPage('receipt')));

  router.get(BANK, bank(showBank('bank')));
  router.get(`${BANK}/code`, bank(showBank('code')));
  router.post(BANK, bank(decide));

  router.get('/logos/:id', sendLogo(services));
  router.get('/colours/:colour', sendColour);
  router.get('/assets/:file', sendAsset(services));
  router.get('/healthz', (ctx) => {
    ctx.body = 'ok\n';
  });
  return router;
}

/** Makes the request a part of the payment's trace. Polls of a waiting page would only fill it. */
function traced<Request extends CheckoutRequest>(request: Request): Request {
  const { ctx, payment, now } = request;
  const route = String(ctx['_matchedRoute']);
  startRequestSpan(ctx, { route, joins: payment.trace, startedAt: now });
  return request;
}
