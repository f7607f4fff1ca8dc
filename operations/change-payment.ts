/** What the changes of a payment (cancel, update, test outcome) share: its state, and idempotency keys. */
import { isId } from '../domain/id.ts';
import { isSilenceOver } from '../domain/method.ts';
import { lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { publicPayment } from '../domain/wire.ts';
import { duplicateOf } from '../store/mongo.ts';
import { findPayment } from '../store/payments.ts';
import { claimRequest, forgetRequest, requestByKey, storeResponse } from '../store/requests.ts';
import { requireSame } from './idempotency.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';
import { Refusal, unavailable } from './refusal.ts';

/**
 * Returns the payment. Throws `Refusal`, the same for another tenant's id as for an unknown one.
 */
export async function requirePayment(
  { mongo, tenant }: MerchantRequest,
  id: string,
): Promise<Payment> {
  const payment = isId('payment', id) ? await findPayment(mongo, tenant, id) : null;
  if (!payment) throw new Refusal('resource_missing', { message: 'No such payment.' });
  return payment;
}

/** Returns a refusal that names the payment's state, which may have changed meanwhile. */
export function stateRefusal(payment: Payment, done: string): Refusal {
  const { status } = payment;
  const isRefundable = status === 'completed' && done === 'canceled';
  const advice = isRefundable ? ' Refund it with POST /v1/refunds.' : '';
  const message = `The payment is ${status} and cannot be ${done}.${advice}`;
  return new Refusal('payment_state_invalid', { message });
}

/** Returns true if the payment is not at the bank, or the bank has not decided in time. */
function mayBeFree(payment: Payment, request: MerchantRequest): boolean {
  if (payment.status === 'created') return true;
  const attempt = lastAttempt(payment);
  const isAtBank = payment.status === 'processing' && attempt !== undefined;
  return isAtBank && isSilenceOver(payment, attempt, request);
}

/** Lets the workflow cancel the payment or end its lifetime. Throws `Refusal` if it does not. */
export async function endPayment(
  request: MerchantRequest,
  payment: Payment,
  { to, claim, done }: { to: 'canceled' | 'expired'; claim: ClaimNow; done: string },
): Promise<Payment> {
  // Asks the workflow only if it may agree. Otherwise requests could make its history long.
  if (!mayBeFree(payment, request)) throw stateRefusal(payment, done);
  const { id } = await claim();
  const cancel = { kind: 'cancel', by: 'merchant', request_id: id } as const;
  const message = to === 'canceled' ? cancel : ({ kind: 'expire', request_id: id } as const);
  await request.temporal.askPayment(payment, message, id);
  const after = await requirePayment(request, payment._id);
  if (after.status !== to) throw stateRefusal(after, done);
  return after;
}

/** The number of tries of a conditional write while other writes change the payment. */
const MAX_ROUNDS = 5;

/**
 * Returns the first result of `step` that is not null. Reads the payment again for each retry.
 * Throws `Refusal` after too many. `done` is what was wanted, for its message.
 */
export async function untilWritten(
  request: MerchantRequest,
  { payment, done }: { payment: Payment; done: string },
  step: (current: Payment) => Promise<Payment | null>,
): Promise<Payment> {
  let current = payment;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const written = await step(current);
    if (written) return written;
    current = await requirePayment(request, payment._id);
  }
  throw stateRefusal(current, done);
}

/** A request's claim of its key. */
export interface RequestClaim {
  /** The id of the first request with this key. The effect is recorded under it. */
  readonly id: string;
  /** True if an earlier request with this key did not finish. It may have had its effect. */
  readonly isTakenOver: boolean;
}

/** Claims the key by writing the request's row. Called just before the effect. */
export type ClaimNow = () => Promise<RequestClaim>;

/** The age after which a row without a result belongs to a request that has died. */
const ABANDONED_MS = 60_000;

/**
 * Returns the payment after `act`, or the result that `act` has stored itself. For a used key,
 * returns the first result again. If the first request stored no result, runs `act` with that
 * request's claim. A refusal frees the key.
 */
export async function actOnce(
  request: MerchantRequest,
  { name, payment, reason }: { name: string; payment: Payment; reason: string | null },
  act: (claim: ClaimNow) => Promise<Payment | RequestResult>,
): Promise<RequestResult> {
  const { mongo, tenant, id, key: k, canonical, now, actor } = request;
  const op = `${name} ${payment._id}`;
  let row = k === undefined ? null : await requestByKey(mongo, { m: tenant, op, k });
  if (row) requireSame(row.request, canonical);
  if (row?.response !== undefined) return { text: row.response, isReplay: true };
  const claim: ClaimNow = async () => {
    if (row) return { id: row._id, isTakenOver: true };
    const idem = { op, ...(k === undefined ? {} : { k }), request: canonical };
    const by = actor ? { actor } : {};
    const about = { m: tenant, payment_id: payment._id, reason, created_at: now, ...by };
    const made = { _id: id, ...about, ...idem };
    const claimed = await claimRequest(mongo, made).catch((error: unknown) => {
      throw duplicateOf(error) === 'm,op,k' ? unavailable() : error;
    });
    requireSame(claimed.row.request, canonical);
    row = claimed.row;
    return { id: row._id, isTakenOver: claimed.repeated };
  };
  try {
    const done = await act(claim);
    if ('text' in done) return done;
    const text = JSON.stringify(publicPayment(done, request.links));
    if (k === undefined) return { text, isReplay: false };
    const { response, isFirst } = await storeResponse(mongo, (await claim()).id, text);
    return { text: response, isReplay: !isFirst };
  } catch (error) {
    // A request that is still running keeps its row.
    const isOurs = row?._id === id || now.getTime() - Number(row?.created_at) > ABANDONED_MS;
    if (error instanceof Refusal && row && isOurs) await forgetRequest(mongo, row._id);
    throw error;
  }
}
