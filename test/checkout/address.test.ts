import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeAddresses } from '../../checkout/address.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const attempt = { paymentId: 'pay_1', attemptId: 'att_1' };
const links = { checkoutUrl: 'https://pay.example' };

const addressesOf = (current: Buffer, previous: Buffer[] = []) =>
  makeAddresses(links, { current, previous });
const signatureOf = (current: Buffer): string =>
  addressesOf(current).bank(attempt).split('/').at(-1) ?? '';

describe('isSigned', () => {
  it('refuses the signature of a key that is not configured', () => {
    expect(addressesOf(NEW).isSigned(attempt, signatureOf(OLD))).toBe(false);
    expect(addressesOf(NEW, [randomBytes(32)]).isSigned(attempt, signatureOf(OLD))).toBe(false);
  });

  it('refuses the signature of another attempt, with an older key too', () => {
    const other = { ...attempt, attemptId: 'att_2' };
    const both = addressesOf(NEW, [OLD]);
    for (const key of [OLD, NEW]) expect(both.isSigned(other, signatureOf(key))).toBe(false);
  });

  it('accepts the signatures of previous keys', () => {
    const both = addressesOf(NEW, [randomBytes(32), OLD]);
    for (const key of [OLD, NEW]) expect(both.isSigned(attempt, signatureOf(key))).toBe(true);
  });
});

describe('bank', () => {
  it('is signed with the current key, even if there are previous keys', () => {
    expect(addressesOf(NEW, [OLD]).bank(attempt)).toBe(addressesOf(NEW).bank(attempt));
  });
});
