/** The addresses of this room. Those of the bank are signed: nobody can make one up. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Links } from '../domain/wire.ts';

/** Names one attempt at the bank. */
interface AttemptRef {
  readonly paymentId: string;
  readonly attemptId: string;
}

/** Customers who are at the bank while the key changes came by an address of the one before. */
export interface SigningKeys {
  /** Signs. */
  readonly current: Buffer;
  /** Are good for addresses that were signed elsewhere or earlier. */
  readonly previous: readonly Buffer[];
}

type CheckoutTail = '' | '/pay' | '/cancel' | '/check' | '/status';
export type BankTail = '' | '/code';

export interface Addresses {
  /** What stands before every path, for a service that a proxy offers below a path of its own. */
  readonly base: string;
  checkout(token: string, tail?: CheckoutTail): string;
  bank(attempt: AttemptRef, tail?: BankTail): string;
  /** Whether `signature` belongs to that attempt; takes the same time for every wrong one. */
  isSigned(attempt: AttemptRef, signature: string): boolean;
}

/**
 * Addresses as paths, from the configured link alone, never from a request. They carry no host, so
 * that a form's redirect stays where the page was loaded from, as its security policy demands.
 */
export function makeAddresses(links: Links, { current, previous }: SigningKeys): Addresses {
  const base = new URL(links.checkoutUrl).pathname.replace(/\/$/, '');

  function sign({ paymentId, attemptId }: AttemptRef, key = current): string {
    const message = `bank:${paymentId}:${attemptId}`;
    return createHmac('sha256', key).update(message).digest('base64url');
  }

  return {
    base,
    checkout: (token, tail = '') => `${base}/c/${token}${tail}`,
    bank: (attempt, tail = '') =>
      `${base}/bank/${attempt.paymentId}/${attempt.attemptId}/${sign(attempt)}${tail}`,
    isSigned(attempt, signature) {
      // The texts are compared, not what they decode to: base64url has several spellings.
      const given = Buffer.from(signature);
      const fits = [current, ...previous].map((key) => {
        const expected = Buffer.from(sign(attempt, key));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return fits.includes(true);
    },
  };
}
