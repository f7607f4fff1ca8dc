/** The codes of 3-D Secure at the sandbox bank. */
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_WRONG_CODES, SANDBOX_3DS_CODE } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { openBench, paymentIn } from './harness.ts';

const checkout = (payment: Payment) => `/c/${payment.checkout_token}`;
const atBank = async () => bench.put(paymentIn('at_bank'));

/** Enters a code, on the page that has that count of wrong codes; by default on the current one. */
const confirm = async (payment: Payment, code: string, count?: number) =>
  bench.post(bench.bankPath(payment), {
    outcome: 'approve_3ds',
    code,
    ...(count !== undefined && { wrong_codes: String(count) }),
  });
const WRONG = '654321';

const bench = closeAfterTests(await openBench('codes'));
afterEach(() => {
  bench.temporal.wakes = [];
});

describe('3-D Secure', () => {
  it('redirects to the page for the code, and records no decision', async () => {
    const payment = await atBank();
    const before = await bench.bytes(payment);
    const response = await bench.post(bench.bankPath(payment), { outcome: 'approve_3ds' });
    expect([response.status, response.location]).toEqual([303, bench.bankPath(payment, '/code')]);
    const page = await bench.call(response.location!);
    expect(page.text).toContain(`action="${bench.bankPath(payment)}"`);
    expect(await bench.bytes(payment)).toBe(before);
  });

  it.each([
    ['approves the right code', SANDBOX_3DS_CODE, 'approve_3ds', 'approved'],
    ['accepts blanks between the digits', '123 456', 'approve_3ds', 'approved'],
  ])('%s', async (_, code, outcome, answer) => {
    const payment = await atBank();
    await confirm(payment, code);
    const { bank } = (await bench.read(payment)).attempts[0]!;
    expect(bank).toMatchObject({ outcome, says: { answer } });
    expect(bench.temporal.wakes).toEqual([payment._id]);
  });

  it.each([' ', '12345', '1234567', 'abcdef'])(
    'shows the page again for "%s", which is no code, and does not count it',
    async (code) => {
      const payment = await atBank();
      const before = await bench.bytes(payment);
      const response = await confirm(payment, code);
      expect(response.status).toBe(422);
      expect(response.text).toContain('data-view="code"');
      expect(response.text).toContain('Enter the 6 digits of the code.');
      expect(await bench.bytes(payment)).toBe(before);
    },
  );

  it('lets the customer correct two wrong codes, and declines the third', async () => {
    const payment = await atBank();
    const texts = { en: ['2 more times', '1 more time.'], ru: ['2 раза', '1 раз.'] };
    for (const count of [0, 1]) {
      const response = await confirm(payment, WRONG, count);
      expect([response.status, response.location]).toEqual([303, bench.bankPath(payment, '/code')]);
      for (const lang of ['en', 'ru'] as const) {
        const { text } = await bench.call(`${response.location}?lang=${lang}`);
        expect(text).toContain(texts[lang][count]);
        expect(text).toContain(`name="wrong_codes" value="${count + 1}"`);
        expect(text).toMatch(/id="code" aria-describedby="code-error" aria-invalid="true"/);
        expect(text).not.toContain(WRONG);
      }
    }
    const counted = { bank: null, status: 'pending', wrong_codes: 2 };
    expect((await bench.read(payment)).attempts).toMatchObject([counted]);
    expect(bench.temporal.wakes).toEqual([]);
    expect((await confirm(payment, WRONG, 2)).location).toBe(checkout(payment));
    const { bank } = (await bench.read(payment)).attempts[0]!;
    expect(bank).toMatchObject({ says: { answer: 'declined', code: 'authentication_failed' } });
    expect(bench.temporal.wakes).toEqual([payment._id]);
  });

  it('approves the right code after two wrong ones', async () => {
    const payment = await atBank();
    for (const code of [WRONG, WRONG, SANDBOX_3DS_CODE]) await confirm(payment, code);
    expect((await bench.read(payment)).attempts[0]!.bank!.outcome).toBe('approve_3ds');
  });

  it('counts a request that is repeated once', async () => {
    const payment = await atBank();
    for (let n = 0; n < MAX_WRONG_CODES; n += 1) await confirm(payment, WRONG, 0);
    expect((await bench.read(payment)).attempts).toMatchObject([{ wrong_codes: 1, bank: null }]);
  });

  it('does not check a code of an old page, so an old page cannot be used to guess', async () => {
    const payment = await atBank();
    await confirm(payment, WRONG, 0);
    const before = await bench.bytes(payment);
    const [right, wrong] = [
      await confirm(payment, SANDBOX_3DS_CODE, 0),
      await confirm(payment, WRONG, 0),
    ];
    expect([right.status, right.location]).toEqual([wrong.status, wrong.location]);
    expect(right.location).toBe(bench.bankPath(payment, '/code'));
    expect(await bench.bytes(payment)).toBe(before);
  });

  it('checks one of twenty codes that tabs send at once', async () => {
    const payment = await atBank();
    const codes = Array.from({ length: 20 }, (_, n) => (n === 19 ? SANDBOX_3DS_CODE : WRONG));
    await Promise.all(codes.map(async (code) => confirm(payment, code, 0)));
    const { bank, wrong_codes: count = 0 } = (await bench.read(payment)).attempts[0]!;
    expect(count + (bank ? 1 : 0)).toBe(1);
  });
});
