/** All routes of the API, and how a request is served. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import { senderOf } from '../http/sender.ts';
import type { Authenticate } from './auth.ts';
import { NO_BODY, readBody } from './body.ts';
import type {
  Answer,
  ApiOptions,
  ApiState,
  Call,
  Caller,
  Handler,
  OpenHandler,
  Published,
} from './call.ts';
import { listCurrencies } from './currencies.ts';
import { WORK_MS, orUnavailable } from './deadline.ts';
import { getDocs, getOpenApi } from './documents.ts';
import { getEndpoint, listEndpoints } from './endpoints.ts';
import { Refusal, unavailable } from '../operations/refusal.ts';
import { getEvent, listEvents } from './events.ts';
import { getHealth, getReadiness } from './health.ts';
import { readKey } from './idempotency.ts';
import { canonicalJson } from './json.ts';
import { getPayment, listPayments, postCancel, postOutcome, postPayment } from './payments.ts';
import { getRefund, listRefunds, postRefund } from './refunds.ts';
import type { Limiters } from './rate.ts';
import { refuseParameters } from './query.ts';
import { OPERATIONS } from './reference/operations.ts';
import type { OperationId } from './reference/operations.ts';
import type { Shares, Stay, WorkKind } from './share.ts';

/** A method, a path, its handler, and its name in the reference (`reference/operations.ts`). */
type Route = readonly ['GET' | 'POST', string, Handler, OperationId];

/** The routes that need a merchant's key. */
export const ROUTES: readonly Route[] = [
  ['POST', '/v1/payments', postPayment, 'createPayment'],
  ['GET', '/v1/payments', listPayments, 'listPayments'],
  ['GET', '/v1/payments/:id', getPayment, 'retrievePayment'],
  ['POST', '/v1/payments/:id/cancel', postCancel, 'cancelPayment'],
  ['POST', '/v1/test/payments/:id/outcome', postOutcome, 'decideOutcome'],
  ['POST', '/v1/refunds', postRefund, 'createRefund'],
  ['GET', '/v1/refunds', listRefunds, 'listRefunds'],
  ['GET', '/v1/refunds/:id', getRefund, 'retrieveRefund'],
  ['GET', '/v1/events', listEvents, 'listEvents'],
  ['GET', '/v1/events/:id', getEvent, 'retrieveEvent'],
  ['GET', '/v1/webhook-endpoints', listEndpoints, 'listWebhookEndpoints'],
  ['GET', '/v1/webhook-endpoints/:id', getEndpoint, 'retrieveWebhookEndpoint'],
  ['GET', '/v1/currencies', listCurrencies, 'listCurrencies'],
];

/** The routes that need no key. */
export const OPEN_ROUTES: readonly (readonly ['GET', string, OpenHandler])[] = [
  ['GET', '/livez', getHealth],
  ['GET', '/healthz', getHealth],
  ['GET', '/readyz', getReadiness],
  ['GET', '/openapi.json', getOpenApi],
  ['GET', '/docs', getDocs],
];

/** Load balancers poll these at their own pace, so no rate limit applies. */
const POLLED: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

type Ctx = RouterContext<ApiState>;

/** The checks that a request passes before it reaches its handler. */
interface Doors {
  readonly limiters: Limiters;
  readonly shares: Shares;
  readonly authenticate: Authenticate;
}

/** Creates the router. `refuseUnrouted` has to come after it. */
export function makeRouter(api: Published, doors: Doors): Router<ApiState> {
  const { limiters } = doors;
  // Strict, because `/v1/payments/` has an empty id and must not return the list.
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  for (const [method, path, handler] of OPEN_ROUTES) {
    router.register(path, [method], async (ctx) => {
      if (!POLLED.has(path)) await limiters.anonymous(ctx, senderOf(ctx.ip));
      send(ctx, await handler(api));
    });
  }
  for (const [method, path, handler, operation] of ROUTES) {
    const serving = { api, doors, handler, kind: kindOf(operation) };
    router.register(path, [method], async (ctx) => serve(ctx, serving));
  }
  return router;
}

interface Serving {
  readonly api: ApiOptions;
  readonly doors: Doors;
  readonly handler: Handler;
  readonly kind: WorkKind;
}

/** Calls that wait for the payment's workflow. */
const ASKS: ReadonlySet<OperationId> = new Set(['cancelPayment', 'decideOutcome']);

function kindOf(operation: OperationId): WorkKind {
  if (ASKS.has(operation)) return 'asks';
  return OPERATIONS[operation].list === undefined ? 'calls' : 'lists';
}

async function serve(ctx: Ctx, serving: Serving): Promise<void> {
  const { authenticate, limiters, shares } = serving.doors;
  const begun = performance.now();
  const caller = await orUnavailable(authenticate(ctx, new Date()), WORK_MS);
  // The time that the sender takes for the body is not ours, and has its own limit.
  const leftMs = WORK_MS - (performance.now() - begun);
  ctx.state.m = caller.m;
  await limiters.merchant(ctx, caller.m);
  const stay = shares(caller.m);
  try {
    await answerCall(ctx, serving, { caller, stay, leftMs });
  } finally {
    if (ctx.res.closed) stay.leave();
    else ctx.res.once('close', () => stay.leave());
  }
}

async function answerCall(
  ctx: Ctx,
  { api, handler, kind }: Serving,
  { caller, stay, leftMs }: { caller: Caller; stay: Stay; leftMs: number },
): Promise<void> {
  // Only lists have query parameters.
  if (kind !== 'lists') refuseParameters(ctx.querystring);
  const isPost = ctx.method === 'POST';
  const idempotencyKey = isPost ? readKey(ctx.headers['idempotency-key']) : undefined;
  const body = isPost ? await readBody(ctx.req, stay.receives) : NO_BODY;
  const answer = await stay.work(kind, async (waitedMs) => {
    const endsInMs = leftMs - waitedMs;
    if (endsInMs <= 0) throw unavailable();
    const call: Call = {
      api,
      caller,
      id: ctx.params['id'] ?? '',
      query: ctx.querystring,
      ...body,
      request: {
        ...api,
        m: caller.m,
        initiatedBy: 'api',
        id: ctx.state.requestId,
        key: idempotencyKey,
        canonical: canonicalJson(body.body),
        now: new Date(),
        endsAtMs: Date.now() + endsInMs,
      },
    };
    return orUnavailable(handler(call), endsInMs);
  });
  stay.sends(send(ctx, answer));
}

/** Sets the response. Returns the size of its body in bytes. */
function send(ctx: Ctx, { status, text, headers = {} }: Answer): number {
  ctx.status = status;
  ctx.set({ 'Content-Type': 'application/json; charset=utf-8', ...headers });
  // Sent as bytes, because a text would be copied again for every client that reads slowly.
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  ctx.body = bytes;
  // Without an ETag, Koa would respond to `If-None-Match: *` with 304 too.
  if (headers['ETag'] !== undefined && ctx.fresh) ctx.status = 304;
  return bytes.length;
}

/** Refuses a request that no route has served: its path or its method is unknown. */
export function refuseUnrouted(ctx: Ctx): void {
  const allowed = new Set((ctx.matched ?? []).flatMap(({ methods }) => methods));
  if (allowed.size === 0) throw new Refusal('route_missing');
  throw new Refusal('method_not_allowed', { headers: { Allow: [...allowed].join(', ') } });
}
