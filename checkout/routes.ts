/** Every address of this room on one screen. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import { decide, showBank } from './bank.ts';
import { cancel, checkAgain, pay, showCancel, showCheckout, tellStatus } from './customer.ts';
import type { Desk, PageHandler } from './visit.ts';

const BANK = '/bank/:paymentId/:attemptId/:signature';

/** The router; a GET route answers HEAD as well. */
export function makeRoutes(desk: Desk): Router {
  const router = new Router({ strict: true, sensitive: true });
  const by = (handler: PageHandler) => async (ctx: RouterContext) => handler(desk, ctx);

  router.get('/c/:token', by(showCheckout));
  router.get('/c/:token/status', by(tellStatus));
  router.post('/c/:token/pay', by(pay));
  router.get('/c/:token/cancel', by(showCancel));
  router.post('/c/:token/cancel', by(cancel));
  router.post('/c/:token/check', by(checkAgain));

  router.get(BANK, by(showBank('bank')));
  router.get(`${BANK}/code`, by(showBank('code')));
  router.post(BANK, by(decide));

  router.get('/assets/:file', (ctx) => desk.assets.send(ctx, ctx.params['file'] ?? ''));
  router.get('/healthz', (ctx) => {
    ctx.body = 'ok\n';
  });
  return router;
}
