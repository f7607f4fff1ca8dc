/** Creating a payment. */
import { timeOf } from '../domain/id.ts';
import { isLive, merchantOf } from '../domain/merchant.ts';
import type { Merchant } from '../domain/merchant.ts';
import { DEFAULT_LIFETIME_MS, MAX_LIFETIME_MS } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { searchTerms } from '../domain/search.ts';
import { publicPayment } from '../domain/wire.ts';
import { publish } from '../facts.ts';
import { findMerchant } from '../store/merchants.ts';
import { mintId, mintToken } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { insertPayment, paymentByKey } from '../store/payments.ts';
import { currentTrace } from '../tracing/current.ts';
import { firstResult, requireTestMode, rowOf } from './idempotency.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';
import { Refusal, unavailable } from './refusal.ts';
import type { FieldError } from './refusal.ts';

/**
 * The share of the shortest lifetime by which `expires_at` may be too soon. A request for exactly
 * that lifetime loses a little of it on its way.
 */
const TRAVEL_SHARE = 0.01;

type PaymentFields = Pick<Payment, 'amount' | 'currency' | 'return_url'> &
  Partial<Pick<Payment, 'order_id' | 'description' | 'cancel_url' | 'locale' | 'metadata'>> & {
    /** By default, the merchant's lifetime of payments after it was created, or 30 minutes. */
    readonly expires_at: Date | undefined;
  };

/**
 * Creates the payment, and starts its workflow. Returns once a majority of the database has the
 * payment. Throws `Refusal` in live mode, and for an `expires_at` that is too soon or too late.
 */
export async function createPayment(
  request: MerchantRequest,
  fields: PaymentFields,
): Promise<RequestResult> {
  requireTestMode(request);
  const faults = expiryFaults(request, fields.expires_at);
  if (faults.length > 0) {
    // The time may have become too soon since the first request. A repeat still gets its result.
    const first = await firstResult(request, paymentByKey);
    if (first) return first;
    throw Refusal.ofFields(faults);
  }
  const payment = await makePayment(request, fields);
  const text = JSON.stringify(publicPayment(payment, request.links));
  try {
    const found = { request_id: request.id, found_by: searchTerms(payment) };
    await insertPayment(request.mongo, { ...rowOf(payment, request, text), ...found });
  } catch (error) {
    if (duplicateOf(error) !== 'm,idem.k') throw error;
    const first = await firstResult(request, paymentByKey);
    // The first payment is stored, but a majority of the database does not have it yet.
    if (!first) throw unavailable();
    return first;
  }
  publish('created', { currency: payment.currency });
  await request.temporal.startPayment(payment);
  return { text, isReplay: false };
}

/** Returns the fault of an `expires_at` that is too soon or too late. */
export function expiryFaults(
  { now, lifetime: { minMs } }: MerchantRequest,
  expiresAt: Date | undefined,
): FieldError[] {
  if (!expiresAt) return [];
  const ahead = expiresAt.getTime() - now.getTime();
  if (ahead >= minMs * (1 - TRAVEL_SHARE) && ahead <= MAX_LIFETIME_MS) return [];
  const message = `expires_at must be from ${minMs / 60_000} minutes to 7 days ahead.`;
  return [{ param: 'expires_at', code: 'parameter_invalid', message }];
}

async function makePayment(
  { mongo, tenant, lifetime }: MerchantRequest,
  fields: PaymentFields,
): Promise<Payment> {
  const merchantId = merchantOf(tenant);
  const isWhole = fields.locale !== undefined && fields.expires_at !== undefined;
  const merchant = isWhole ? null : await requireOwner(mongo, merchantId);
  const lifetimeMs = Math.max(merchant?.lifetime_ms ?? DEFAULT_LIFETIME_MS, lifetime.minMs);
  const id = mintId('payment');
  // Lists filter by the time in the id, so the time that is shown has to be the same.
  const createdAt = new Date(timeOf(id));
  const expiresAt = fields.expires_at ?? new Date(createdAt.getTime() + lifetimeMs);
  const trace = currentTrace();
  return {
    _id: id,
    m: tenant,
    merchant_id: merchantId,
    livemode: isLive(tenant),
    status: 'created',
    open: true,
    due_at: expiresAt,
    amount: fields.amount,
    currency: fields.currency,
    amount_refunded: 0,
    order_id: fields.order_id ?? null,
    description: fields.description ?? null,
    return_url: new URL(fields.return_url).href,
    cancel_url: fields.cancel_url ? new URL(fields.cancel_url).href : null,
    locale: fields.locale ?? merchant?.locale ?? 'hy',
    metadata: fields.metadata ?? {},
    ...(trace ? { trace } : {}),
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

async function requireOwner(mongo: Mongo, id: string): Promise<Merchant> {
  const merchant = await findMerchant(mongo, id);
  if (!merchant) throw new Error(`${id} has a key but does not exist.`);
  return merchant;
}
