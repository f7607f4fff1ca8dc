/** All routes of the API, and how a request is served. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import { inTime } from '../concurrency.ts';
import { senderOf } from '../http/sender.ts';
import { Refusal, unavailable } from '../operations/refusal.ts';
import { startRequestSpan } from '../tracing/requests.ts';
import type { makeAuthenticate } from './auth.ts';
import { NO_BODY, readBody, readKey } from './body.ts';
import type { ApiOptions, ApiState, Call, Caller, Handler, Reply } from './call.ts';
import { listCurrencies } from './currencies.ts';
import type { makeDocuments, PublicDocument } from './documents.ts';
import { getEndpoint, listEndpoints } from './endpoints.ts';
import { getEvent, listEvents } from './events.ts';
import { getHealth } from './health.ts';
import { canonicalJson } from './json.ts';
import {
  getPayment,
  listPayments,
  postAdvance,
  postCancel,
  postOutcome,
  postPayment,
} from './payments.ts';
import { refuseParameters } from './query.ts';
import type { Limiters } from './rate.ts';
import { OPERATIONS } from './reference/operations.ts';
import type { OperationId } from './reference/operations.ts';
import { getRefund, listRefunds, postRefund } from './refunds.ts';
import type { Admission, Admit, WorkKind } from './share.ts';
import { postUpdate } from './update.ts';

/** The time for a request. Clients give up after about 5 s, and should get a 503 before that. */
export const WORK_MS = 4_300;

/** A method, a path, a handler, and the name in the reference (`reference/operations.ts`). */
type Route = readonly ['GET' | 'POST', string, Handler, OperationId];

/** The routes that need a merchant's key. */
export const ROUTES: readonly Route[] = [
  ['POST', '/v1/payments', postPayment, 'createPayment'],
  ['GET', '/v1/payments', listPayments, 'listPayments'],
  ['GET', '/v1/payments/:id', getPayment, 'retrievePayment'],
  ['POST', '/v1/payments/:id', postUpdate, 'updatePayment'],
  ['POST', '/v1/payments/:id/cancel', postCancel, 'cancelPayment'],
  ['POST', '/v1/test/payments/:id/outcome', postOutcome, 'decideOutcome'],
  ['POST', '/v1/test/payments/:id/advance', postAdvance, 'advancePayment'],
  ['POST', '/v1/refunds', postRefund, 'createRefund'],
  ['GET', '/v1/refunds', listRefunds, 'listRefunds'],
  ['GET', '/v1/refunds/:id', getRefund, 'retrieveRefund'],
  ['GET', '/v1/events', listEvents, 'listEvents'],
  ['GET', '/v1/events/:id', getEvent, 'retrieveEvent'],
  ['GET', '/v1/webhook-endpoints', listEndpoints, 'listWebhookEndpoints'],
  ['GET', '/v1/webhook-endpoints/:id', getEndpoint, 'retrieveWebhookEndpoint'],
  ['GET', '/v1/currencies', listCurrencies, 'listCurrencies'],
];

type Ctx = RouterContext<ApiState>;

/** The checks that a request passes before its handler. */
interface Guards {
  readonly limiters: Limiters;
  readonly admit: Admit;
  readonly authenticate: ReturnType<typeof makeAuthenticate>;
}

interface RouterOptions {
  readonly api: ApiOptions;
  readonly guards: Guards;
  readonly documents: ReturnType<typeof makeDocuments>;
  readonly getReadiness: () => Promise<Reply>;
}

/** Creates the router. `refuseUnrouted` (unrouted.ts) has to come after it. */
export function makeRouter({ api, guards, documents, getReadiness }: RouterOptions) {
  // Strict, because `/v1/payments/` has an empty id and must not return the list.
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  // Load balancers poll these at their own pace, so no rate limit applies.
  router.get('/livez', async (ctx) => send(ctx, await getHealth()));
  router.get('/healthz', async (ctx) => send(ctx, await getHealth()));
  router.get('/readyz', async (ctx) => send(ctx, await getReadiness()));
  const sendDocument = async (ctx: Ctx, document?: PublicDocument): Promise<void> => {
    await guards.limiters.anonymous(ctx, senderOf(ctx.ip));
    if (!document) throw new Refusal('route_missing');
    const takesGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    send(ctx, takesGzip ? document.packed() : document.plain);
  };
  router.get('/openapi.json', async (ctx) => sendDocument(ctx, documents.openApi));
  router.get('/docs/tollgate-sdk.tgz', async (ctx) => {
    await guards.limiters.anonymous(ctx, senderOf(ctx.ip));
    send(ctx, await documents.client());
  });
  router.get(['/docs', '/docs/*page'], async (ctx) => {
    await sendDocument(ctx, documents.docsAt(ctx.path));
  });
  for (const [method, path, handler, operation] of ROUTES) {
    const keepsNulls = KEEPING_NULLS.includes(operation);
    const serving = { api, guards, route: path, handler, kind: kindOf(operation), keepsNulls };
    router.register(path, [method], async (ctx) => serve(ctx, serving));
  }
  return router;
}

interface Serving {
  readonly api: ApiOptions;
  readonly guards: Guards;
  readonly route: string;
  readonly handler: Handler;
  readonly kind: WorkKind;
  readonly keepsNulls: boolean;
}

/** The calls in which null at the top level removes a value. In others it means absent. */
const KEEPING_NULLS: readonly OperationId[] = ['updatePayment'];

/** The calls that wait for the payment's workflow. */
const UPDATES: readonly OperationId[] = ['cancelPayment', 'decideOutcome', 'advancePayment'];

function kindOf(operation: OperationId): WorkKind {
  if (UPDATES.includes(operation)) return 'updates';
  return OPERATIONS[operation].list === undefined ? 'calls' : 'lists';
}

async function serve(ctx: Ctx, serving: Serving): Promise<void> {
  const { authenticate, limiters, admit } = serving.guards;
  const { workMs = WORK_MS } = serving.api;
  const startedAt = new Date();
  const startedMs = performance.now();
  const caller = await inTime(authenticate(ctx, new Date()), workMs, unavailable);
  // Leaves out the time for the body, which has its own limit.
  const leftMs = workMs - (performance.now() - startedMs);
  ctx.state.tenant = caller.tenant;
  await limiters.merchant(ctx, caller.tenant);
  startRequestSpan(ctx, { route: serving.route, startedAt });
  const admission = admit(caller.tenant);
  try {
    await handle(ctx, serving, { caller, admission, leftMs });
  } finally {
    if (ctx.res.closed) admission.leave();
    else ctx.res.once('close', () => admission.leave());
  }
}

async function handle(
  ctx: Ctx,
  { api, handler, kind, keepsNulls }: Serving,
  { caller, admission, leftMs }: { caller: Caller; admission: Admission; leftMs: number },
): Promise<void> {
  // Only lists have query parameters.
  if (kind !== 'lists') refuseParameters(ctx.querystring);
  const isPost = ctx.method === 'POST';
  const idempotencyKey = isPost ? readKey(ctx.headers['idempotency-key']) : undefined;
  const body = isPost ? await readBody(ctx.req, admission.receives, keepsNulls) : NO_BODY;
  const reply = await admission.work(kind, async (waitedMs) => {
    const endsInMs = leftMs - waitedMs;
    if (endsInMs <= 0) throw unavailable();
    const canonical = canonicalJson(body.body);
    if (body !== NO_BODY) ctx.state.body = canonical;
    const call: Call = {
      api,
      caller,
      id: ctx.params['id'] ?? '',
      query: ctx.querystring,
      ...body,
      request: {
        ...api,
        tenant: caller.tenant,
        initiatedBy: 'api',
        keyId: caller.keyId,
        id: ctx.state.requestId,
        key: idempotencyKey,
        canonical,
        now: new Date(),
        endsAtMs: Date.now() + endsInMs,
      },
    };
    return inTime(handler(call), endsInMs, unavailable);
  });
  admission.sends(send(ctx, reply));
}

/** Matches the beginning of a payment or refund, as the API writes them. */
const OBJECT = /^\{"id":"((?:pay|ref)_[0-9A-Z]{26})"/;

/** Sets the response. Returns the size of its body in bytes. */
function send(ctx: Ctx, { status, text, headers = {} }: Reply): number {
  const id = typeof text === 'string' ? OBJECT.exec(text)?.[1] : undefined;
  if (id !== undefined) ctx.state.objectId = id;
  ctx.status = status;
  ctx.set({ 'Content-Type': 'application/json; charset=utf-8', ...headers });
  // Sent as bytes, because Node would copy a text again for every client that reads slowly.
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  ctx.body = bytes;
  // Without an ETag, Koa would respond to `If-None-Match: *` with 304 too.
  if (headers['ETag'] !== undefined && ctx.fresh) ctx.status = 304;
  return bytes.length;
}
