/** Payments: create, retrieve, list. */
import { isId, timeOf } from '../domain/id.ts';
import { PAYMENT_STATUSES } from '../domain/payment.ts';
import type { Locale, Payment } from '../domain/payment.ts';
import { publicPayment } from '../domain/wire.ts';
import { findMerchant } from '../store/merchants.ts';
import { mintId, mintToken } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import { paymentByKey, findPayment, insertPayment } from '../store/payments.ts';
import type { PaymentRow } from '../store/rows.ts';
import { answerWith, requireTestMode } from './call.ts';
import type { Answer, Call } from './call.ts';
import { unavailable } from './deadline.ts';
import { Refusal } from '../operations/refusal.ts';
import type { FieldError } from '../operations/refusal.ts';
import { firstAnswer } from './idempotency.ts';
import { canonicalJson } from './json.ts';
import { answerList } from './lists.ts';
import { namesFilter, textFilter } from './query.ts';
import type { ListSpec } from './query.ts';
import { orderIdSchema, paymentSchema } from './schemas.ts';
import type { PaymentBody } from './schemas.ts';
import { parseTime } from './time.ts';
import { compile, faultsOf } from './validate.ts';

const DEFAULT_LIFETIME_MS = 30 * 60 * 1000;
const MAX_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** Exactly 5 minutes ahead is a little less when it arrives: this share may be missing. */
const TRAVEL_SHARE = 0.01;

const schema = compile(paymentSchema);

/** `POST /v1/payments`: 201 with the payment, once a majority of the database has it. */
export async function createPayment(call: Call): Promise<Answer> {
  requireTestMode(call);
  const request = canonicalJson(call.body);
  const faults = faultsOf(schema, call);
  const lateFaults = expiryFaults(call);
  // A repeat may come when its expires_at is no longer ahead: it still gets the first answer.
  if (faults.length === 0 && lateFaults.length > 0) {
    const first = await firstAnswer(call, request, paymentByKey);
    if (first) return first;
  }
  if (faults.length + lateFaults.length > 0) throw Refusal.ofFields([...faults, ...lateFaults]);
  const payment = await makePayment(call, call.body as PaymentBody);
  const text = JSON.stringify(publicPayment(payment, call.api.links));
  const k = call.idempotencyKey;
  const row: PaymentRow =
    k === undefined ? payment : { ...payment, idem: { k, request, response: text } };
  try {
    await insertPayment(call.api.mongo, row);
  } catch (error) {
    if (duplicateOf(error) !== 'm,idem.k') throw error;
    const first = await firstAnswer(call, request, paymentByKey);
    // The first payment is stored, but a majority of the database does not have it yet.
    if (!first) throw unavailable();
    return first;
  }
  await call.api.temporal.startPayment(payment);
  return { status: 201, text };
}

/** What is wrong with expires_at as seen from now; its form is the schema's business. */
function expiryFaults({ api, body, now }: Call): FieldError[] {
  const { expires_at: asked } = body;
  const moment = typeof asked === 'string' ? parseTime(asked) : undefined;
  if (!moment) return [];
  const { minMs } = api.lifetime;
  const ahead = moment.ms - now.getTime();
  if (ahead >= minMs * (1 - TRAVEL_SHARE) && ahead <= MAX_LIFETIME_MS) return [];
  const message = `expires_at must be from ${minMs / 60_000} minutes to 7 days ahead.`;
  return [{ param: 'expires_at', code: 'parameter_invalid', message }];
}

async function makePayment({ api, caller }: Call, body: PaymentBody): Promise<Payment> {
  const id = mintId('payment');
  // Lists filter by the time in the id, so the time that is shown has to be the same.
  const createdAt = new Date(timeOf(id));
  const asked = body.expires_at === undefined ? undefined : parseTime(body.expires_at);
  const expiresAt = new Date(asked?.ms ?? createdAt.getTime() + DEFAULT_LIFETIME_MS);
  return {
    _id: id,
    m: caller.m,
    merchant_id: caller.merchantId,
    livemode: caller.mode === 'live',
    status: 'created',
    open: true,
    due_at: expiresAt,
    amount: body.amount,
    currency: body.currency,
    amount_refunded: 0,
    order_id: body.order_id ?? null,
    description: body.description ?? null,
    return_url: new URL(body.return_url).href,
    cancel_url: body.cancel_url === undefined ? null : new URL(body.cancel_url).href,
    locale: body.locale ?? (await localeOf(api.mongo, caller.merchantId)),
    metadata: body.metadata ?? {},
    checkout_token: mintToken(),
    attempts: [],
    failure_code: null,
    cancellation: null,
    created_at: createdAt,
    updated_at: createdAt,
    expires_at: expiresAt,
    completed_at: null,
    failed_at: null,
    canceled_at: null,
    expired_at: null,
  };
}

async function localeOf(mongo: Call['api']['mongo'], merchantId: string): Promise<Locale> {
  const merchant = await findMerchant(mongo, merchantId);
  if (!merchant) throw new Error(`${merchantId} has a key and no merchant.`);
  return merchant.locale;
}

/** The payment in the path; 404 the same for another merchant's id and for no id at all. */
export async function paymentOf({ api, caller, id }: Call): Promise<Payment> {
  const payment = isId('payment', id) ? await findPayment(api.mongo, caller.m, id) : null;
  if (!payment) throw new Refusal('resource_missing', { message: 'No such payment.' });
  return payment;
}

/** `GET /v1/payments/{id}`. */
export async function getPayment(call: Call): Promise<Answer> {
  return answerWith(200, publicPayment(await paymentOf(call), call.api.links));
}

export const PAYMENT_LIST: ListSpec = {
  kind: 'payment',
  path: '/v1/payments',
  filters: {
    status: namesFilter('Payments in one of these states.', PAYMENT_STATUSES),
    order_id: textFilter('Payments of this order.', orderIdSchema),
  },
  combinations: [[], ['status'], ['order_id'], ['order_id', 'status']],
};

/** `GET /v1/payments`. */
export async function listPayments(call: Call): Promise<Answer> {
  const { mongo, links } = call.api;
  const render = (rows: readonly Payment[]): string[] =>
    rows.map((row) => JSON.stringify(publicPayment(row, links)));
  return answerList(call, { spec: PAYMENT_LIST, collection: mongo.payments, render });
}
