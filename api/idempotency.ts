/** The `Idempotency-Key` header. */
import { containsWrittenCardNumber } from '../domain/cardnumber.ts';
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
