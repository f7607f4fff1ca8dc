/** The addresses of the checkout and the bank. The bank's are signed, so nobody can forge them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { Links } from '../domain/wire.ts';

/** The ids of one attempt at the bank. */
interface AttemptRef {
  readonly paymentId: string;
  readonly attemptId: string;
}

/** The HMAC keys of the bank's addresses. Customers may be at the bank while the key changes. */
export interface SigningKeys {
  /** The key that signs new addresses. */
  readonly current: Buffer;
  /** Keys that only verify addresses: those signed earlier, or by another server. */
  readonly previous: readonly Buffer[];
}

export type AddressName =
  'checkout' | 'pay' | 'cancel' | 'check' | 'status' | 'receipt' | 'bank' | 'code';

export type Addresses = ReturnType<typeof makeAddresses>;

/**
 * Creates addresses from the configured link, as paths without a host. The redirect after a form
 * then stays on the page's origin, as the security policy requires.
 */
export function makeAddresses(links: Links, { current, previous }: SigningKeys) {
  // Not empty if a proxy serves Tollgate under a path prefix.
  const base = new URL(links.checkoutUrl).pathname.replace(/\/$/, '');

  function sign({ paymentId, attemptId }: AttemptRef, key = current): string {
    const message = `bank:${paymentId}:${attemptId}`;
    return createHmac('sha256', key).update(message).digest('base64url');
  }

  function bank(attempt: AttemptRef, tail: '' | '/code' = ''): string {
    return `${base}/bank/${attempt.paymentId}/${attempt.attemptId}/${sign(attempt)}${tail}`;
  }

  return {
    base,
    /** Returns the path of the bank's page for that attempt. */
    bank,
    /** Returns the payment's path of that name. The bank's are for the last attempt. */
    of(payment: Payment, name: AddressName): string {
      const attemptId = lastAttempt(payment)?.id;
      if (attemptId !== undefined && (name === 'bank' || name === 'code')) {
        return bank({ paymentId: payment._id, attemptId }, name === 'code' ? '/code' : '');
      }
      const path = `${base}/c/${payment.checkout_token}`;
      return name === 'checkout' ? path : `${path}/${name}`;
    },
    /** Returns whether the signature belongs to that attempt. Compares in constant time. */
    isSigned(attempt: AttemptRef, signature: string): boolean {
      // Compares the texts, not the decoded bytes: base64url can spell the same bytes differently.
      const given = Buffer.from(signature);
      const matches = [current, ...previous].map((key) => {
        const expected = Buffer.from(sign(attempt, key));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return matches.includes(true);
    },
  };
}
