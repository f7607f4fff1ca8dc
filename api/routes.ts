/** The whole map of addresses, and how one of them is served. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import { authenticate } from './auth.ts';
import { readBody } from './body.ts';
import type { Answer, ApiOptions, ApiState, Call, Handler, OpenHandler } from './call.ts';
import { cancelPayment } from './cancel.ts';
import { listCurrencies } from './currencies.ts';
import { WORK_MS, inTime } from './deadline.ts';
import { getEndpoint, listEndpoints } from './endpoints.ts';
import { Refusal } from './errors.ts';
import { getEvent, listEvents } from './events.ts';
import { getHealth, getReadiness } from './health.ts';
import { readKey } from './idempotency.ts';
import { decideOutcome } from './outcome.ts';
import { createPayment, getPayment, listPayments } from './payments.ts';

/** Calls of a merchant, with its key. */
export const ROUTES: readonly (readonly ['GET' | 'POST', string, Handler])[] = [
  ['POST', '/v1/payments', createPayment],
  ['GET', '/v1/payments', listPayments],
  ['GET', '/v1/payments/:id', getPayment],
  ['POST', '/v1/payments/:id/cancel', cancelPayment],
  ['POST', '/v1/test/payments/:id/outcome', decideOutcome],
  ['GET', '/v1/events', listEvents],
  ['GET', '/v1/events/:id', getEvent],
  ['GET', '/v1/webhook-endpoints', listEndpoints],
  ['GET', '/v1/webhook-endpoints/:id', getEndpoint],
  ['GET', '/v1/currencies', listCurrencies],
];

/** Calls that need no key. */
export const OPEN_ROUTES: readonly (readonly ['GET', string, OpenHandler])[] = [
  ['GET', '/healthz', getHealth],
  ['GET', '/readyz', getReadiness],
];

type Ctx = RouterContext<ApiState>;

/** Serves the map; any other address or method is refused from the catalogue. */
export function makeRouter(api: ApiOptions): Router<ApiState> {
  // Strict: `/v1/payments/` with an id that happens to be empty must not be the list.
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  for (const [method, path, handler] of OPEN_ROUTES) {
    router.register(path, [method], async (ctx) => send(ctx, await handler(api)));
  }
  for (const [method, path, handler] of ROUTES) {
    router.register(path, [method], async (ctx) => serve(ctx, api, handler));
  }
  return router;
}

async function serve(ctx: Ctx, api: ApiOptions, handler: Handler): Promise<void> {
  const begun = performance.now();
  const caller = await inTime(authenticate(api, ctx.headers.authorization, new Date()), WORK_MS);
  // The time that the sender takes for the body is not ours, and has its own limit.
  const leftMs = WORK_MS - (performance.now() - begun);
  ctx.state.m = caller.m;
  const isPost = ctx.method === 'POST';
  const idempotencyKey = isPost ? readKey(ctx.headers['idempotency-key']) : undefined;
  const body = isPost ? await readBody(ctx.req) : {};
  const call: Call = {
    api,
    caller,
    requestId: ctx.state.requestId,
    now: new Date(),
    id: ctx.params['id'] ?? '',
    query: ctx.querystring,
    body,
    idempotencyKey,
  };
  send(ctx, await inTime(handler(call), leftMs));
}

function send(ctx: Ctx, { status, text, headers = {} }: Answer): void {
  ctx.status = status;
  ctx.set({ 'Content-Type': 'application/json; charset=utf-8', ...headers });
  ctx.body = text;
}

/** After the router: nothing has answered, so the address or its method is not ours. */
export function refuseUnrouted(ctx: Ctx): void {
  const allowed = new Set((ctx.matched ?? []).flatMap(({ methods }) => methods));
  if (allowed.size === 0) throw new Refusal('route_missing');
  throw new Refusal('method_not_allowed', { headers: { Allow: [...allowed].join(', ') } });
}
