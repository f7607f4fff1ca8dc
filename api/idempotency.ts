/** Idempotency keys: the same request again gets the same answer, another one is refused. */
import { containsWrittenCardNumber } from '../domain/cardnumber.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Idempotency } from '../store/rows.ts';
import type { Answer, Call } from './call.ts';
import { Refusal } from '../operations/refusal.ts';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the key that was sent, or undefined. Refuses a key that is not 1 to 255 visible ASCII
 * characters, or that contains a card number in groups. Plain digits are allowed, as in `order_id`.
 */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !KEY_FORM.test(header)) {
    throw new Refusal('idempotency_key_invalid');
  }
  if (!containsWrittenCardNumber(header)) return header;
  const message = 'Idempotency-Key seems to contain a card number; never send card data here.';
  throw new Refusal('card_number_refused', { message });
}

/**
 * Refuses a request that differs from the first one of its key; both as canonical JSON of the body
 * as it was sent (without the nulls of its top level, before defaults are filled in).
 */
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

/** Looks for what a merchant made with a key. */
type FindByKey = (mongo: Mongo, m: string, k: string) => Promise<{ idem?: Idempotency } | null>;

/**
 * The stored 201 if the call's key was used before, for what lives as long as its key; refuses
 * another request under the same key.
 */
export async function firstAnswer(
  { api, caller, idempotencyKey }: Call,
  request: string,
  find: FindByKey,
): Promise<Answer | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const made = await find(api.mongo, caller.m, idempotencyKey);
  if (!made?.idem) return undefined;
  requireSame(made.idem.request, request);
  return replay(201, made.idem.response);
}

/** The first answer once more, byte for byte. */
export function replay(status: number, text: string): Answer {
  return { status, text, headers: { 'Idempotent-Replayed': 'true' } };
}
