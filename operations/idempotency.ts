/**
 * Requests and their idempotency keys. All requests with one key have one effect and one result.
 */
import type { Actor } from '../domain/audit.ts';
import { isLive } from '../domain/merchant.ts';
import type { Refund } from '../domain/refund.ts';
import type { Links } from '../domain/wire.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Idempotency } from '../store/rows.ts';
import type { Temporal } from '../temporal/client.ts';
import { Refusal } from './refusal.ts';

export interface PaymentServices {
  readonly mongo: Mongo;
  readonly temporal: Pick<
    Temporal,
    'startPayment' | 'startRefund' | 'askPayment' | 'hastenDelivery'
  >;
  readonly links: Links;
  readonly bankTimeoutMs: number;
  /** The shortest lifetime of a payment, in milliseconds. */
  readonly lifetime: { readonly minMs: number };
}

/** A merchant's request to create or change something. */
export interface MerchantRequest extends PaymentServices {
  /** Merchant and mode: the tenant of every query. */
  readonly tenant: string;
  readonly initiatedBy: Refund['initiated_by'];
  /** The person who acts, for the audit. Absent for calls with an API key. */
  readonly actor?: Actor;
  /** The id of the API key, for the audit of a change. Absent for a person. */
  readonly keyId?: string;
  /** The id of the request. Its effect is recorded under this id. */
  readonly id: string;
  /** The idempotency key, if one was sent. */
  readonly key: string | undefined;
  /** The fields as JSON with sorted keys. Two requests are the same if these texts are. */
  readonly canonical: string;
  readonly now: Date;
  /** When the caller stops waiting, unix milliseconds. */
  readonly endsAtMs: number;
}

/** The object that a request has created or changed. */
export interface RequestResult {
  /** The public object as JSON. A repeat gets it byte for byte. */
  readonly text: string;
  /** True for the stored result of an earlier request with the same key. */
  readonly isReplay: boolean;
}

/** Throws `Refusal` in live mode, because no real bank is connected. */
export function requireTestMode({ tenant }: Pick<MerchantRequest, 'tenant'>): void {
  if (isLive(tenant)) throw new Refusal('live_mode_unavailable');
}

/** Throws `Refusal` if a request differs from the first one with its key. Takes canonical JSON. */
export function requireSame(first: string, request: string): void {
  if (first === request) return;
  const before = JSON.parse(first) as Record<string, unknown>;
  const now = JSON.parse(request) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted();
  const param = names.find((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  throw new Refusal('idempotency_key_reused', {
    message: `The Idempotency-Key was used before for a request with another ${param ?? 'body'}.`,
    ...(param === undefined ? {} : { param }),
  });
}

/** Finds the document that a tenant created with a key. */
type FindByKey = (
  mongo: Mongo,
  tenant: string,
  key: string,
) => Promise<{ idem?: Idempotency } | null>;

/**
 * Returns the result of the first request with this key. Returns undefined if the key is new, or
 * none was sent. Throws `Refusal` if the first request was another one.
 */
export async function firstResult(
  { mongo, tenant, key, canonical }: MerchantRequest,
  find: FindByKey,
): Promise<RequestResult | undefined> {
  const created = key === undefined ? null : await find(mongo, tenant, key);
  if (!created?.idem) return undefined;
  requireSame(created.idem.request, canonical);
  return { text: created.idem.response, isReplay: true };
}

/** Returns the row of a new document, with its key and its result for repeats of the request. */
export function rowOf<Document extends object>(
  document: Document,
  { key: k, canonical: request }: MerchantRequest,
  response: string,
): Document & { idem?: Idempotency } {
  return k === undefined ? document : { ...document, idem: { k, request, response } };
}
