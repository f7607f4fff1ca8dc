/**
 * Calls that change a payment without creating a document (cancel, test outcome): a row for each
 * holds what the workflow's message leaves out, and gives a repeated key one effect.
 */
import type { Payment } from '../domain/payment.ts';
import { publicPayment } from '../domain/wire.ts';
import { duplicateOf } from '../store/mongo.ts';
import { storeResponse, claimRequest, requestByKey, forgetRequest } from '../store/requests.ts';
import type { RequestRow } from '../store/rows.ts';
import type { Answer, Call } from './call.ts';
import { unavailable } from './deadline.ts';
import { Refusal } from '../operations/refusal.ts';
import { replay, requireSame } from './idempotency.ts';
import { canonicalJson } from './json.ts';

export interface Wish {
  readonly name: 'cancel' | 'outcome';
  readonly payment: Payment;
  readonly reason: string | null;
}

export interface Claim {
  /** The id of the first request with this key: what the effect is recorded under. */
  readonly id: string;
  /** Whether an earlier request with this key was not answered: its effect may be there. */
  readonly isTakenOver: boolean;
}

/** No request is worked on for so long: a row that is older has nobody who will answer it. */
const ABANDONED_MS = 60_000;

/** Reads or makes the row of the request, at the last moment before the effect. */
export type ClaimNow = () => Promise<Claim>;

/**
 * Answers 200 with the payment that `act` leaves. Under a used key: the first answer again, or,
 * when that was never given, `act` with the first request's claim. A refusal frees the key.
 */
export async function actOnce(
  call: Call,
  wish: Wish,
  act: (claim: ClaimNow) => Promise<Payment>,
): Promise<Answer> {
  const { requestId, now } = call;
  const { mongo, links } = call.api;
  const request = canonicalJson(call.body);
  const first = await firstOf(call, wish);
  if (first) requireSame(first.request, request);
  if (first?.response !== undefined) return replay(200, first.response);
  let row = first;
  const claim: ClaimNow = async () => {
    const claimed = row ? { row, repeated: true } : await claimRow(call, wish, request);
    row = claimed.row;
    return { id: row._id, isTakenOver: claimed.repeated };
  };
  try {
    const text = JSON.stringify(publicPayment(await act(claim), links));
    if (call.idempotencyKey === undefined) return { status: 200, text };
    const { id } = await claim();
    const { response, isFirst } = await storeResponse(mongo, id, text);
    return isFirst ? { status: 200, text } : replay(200, response);
  } catch (error) {
    // The row of a request that is still under way is that request's to forget.
    const isOurs = row?._id === requestId || isAbandoned(row, now);
    if (error instanceof Refusal && row && isOurs) await forgetRequest(mongo, row._id);
    throw error;
  }
}

function isAbandoned(row: RequestRow | null, now: Date): boolean {
  return row !== null && now.getTime() - row.created_at.getTime() > ABANDONED_MS;
}

async function firstOf(call: Call, { name, payment }: Wish): Promise<RequestRow | null> {
  const { api, caller, idempotencyKey: k } = call;
  if (k === undefined) return null;
  return requestByKey(api.mongo, { m: caller.m, op: operationOf(name, payment), k });
}

const operationOf = (name: string, payment: Payment): string => `${name} ${payment._id}`;

async function claimRow(
  { api, caller, requestId, now, idempotencyKey: k }: Call,
  { name, payment, reason }: Wish,
  request: string,
): Promise<{ row: RequestRow; repeated: boolean }> {
  const claimed = await claimRequest(api.mongo, {
    _id: requestId,
    m: caller.m,
    payment_id: payment._id,
    op: operationOf(name, payment),
    ...(k === undefined ? {} : { k }),
    request,
    reason,
    created_at: now,
  }).catch((error: unknown) => {
    throw duplicateOf(error) === 'm,op,k' ? unavailable() : error;
  });
  requireSame(claimed.row.request, request);
  return claimed;
}
