import { afterEach, describe, expect, it } from 'vitest';
import { CHOICES, SANDBOX_3DS_CODE, SANDBOX_OUTCOMES, TEST_CARDS } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { makeAttempt } from '../support/rows/payment.ts';
import { openBench, paymentIn } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const checkout = (payment: Payment) => `/c/${payment.checkout_token}`;
const atBank = async (overrides: Partial<Payment> = {}) =>
  bench.put(paymentIn('at_bank', overrides));
const decide = async (payment: Payment, outcome: string) =>
  bench.post(bench.bankPath(payment), { outcome });

const confirm = async (payment: Payment, code: string) =>
  bench.post(bench.bankPath(payment), { outcome: 'approve_3ds', code });

const pageOf = async (overrides: Partial<Payment>) =>
  (await bench.call(bench.bankPath(await atBank(overrides)))).text;

const bench = closeAfterTests(await openBench('bank'));
afterEach(() => {
  bench.temporal.wakes = [];
  bench.temporal.onWake = async () => {};
});

describe('POST to the bank refuses', () => {
  it.each([
    [
      'a changed signature',
      (path: string) => `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
    ],
    ['a longer signature', (path: string) => `${path}A`],
    ['another attempt', (path: string) => path.replace(/att_\w{5}/, 'att_00000')],
    ['another payment', (path: string) => path.replace(/pay_\w{5}/, 'pay_00000')],
  ])('%s, and changes nothing', async (_, forge) => {
    const payment = await atBank();
    const before = await bench.bytes(payment);
    const path = forge(bench.bankPath(payment));
    expect((await bench.call(path)).status).toBe(404);
    expect((await bench.post(path, { outcome: 'approve' })).status).toBe(404);
    expect(await bench.bytes(payment)).toBe(before);
    expect(bench.temporal.wakes).toEqual([]);
  });

  it('a signed address of a payment that does not exist', async () => {
    const nobody = paymentIn('at_bank');
    expect((await decide(nobody, 'approve')).status).toBe(404);
  });

  it.each(['', 'bribe', 'authentication_failed', 'constructor'])(
    'the outcome "%s", and shows the form again',
    async (outcome) => {
      const payment = await atBank();
      const before = await bench.bytes(payment);
      const response = await decide(payment, outcome);
      expect(response.status).toBe(422);
      expect(response.text).toContain('data-view="bank"');
      expect(await bench.bytes(payment)).toBe(before);
    },
  );

  it.each(['waiting', 'completed', 'failed', 'canceled', 'expired'] as const)(
    'every choice when %s, and changes nothing',
    async (state) => {
      const payment = await bench.put(paymentIn(state));
      const before = await bench.bytes(payment);
      for (const outcome of ['approve', 'card_declined', 'turn_back', 'bribe']) {
        const response = await decide(payment, outcome);
        expect([response.status, response.location]).toEqual([303, checkout(payment)]);
      }
      expect(await bench.bytes(payment)).toBe(before);
      expect(bench.temporal.wakes).toEqual([]);
    },
  );
});

describe('POST to the bank', () => {
  const outcomes = Object.keys(SANDBOX_OUTCOMES) as SandboxOutcomeName[];

  it.each(outcomes.filter((name) => name !== 'approve_3ds'))('records %s', async (outcome) => {
    const payment = await atBank();
    const response = await decide(payment, outcome);
    const { status, attempts } = await bench.read(payment);
    const { says, delayMs } = SANDBOX_OUTCOMES[outcome];
    const bank = attempts[0]!.bank!;
    expect([response.status, response.location]).toEqual([303, checkout(payment)]);
    expect(status).toBe('processing');
    expect(bank).toMatchObject({ outcome, says, request_id: null });
    expect(bank.due_at.getTime() - bank.decided_at.getTime()).toBe(delayMs);
    // A silent bank gives the workflow nothing to settle.
    expect(bench.temporal.wakes).toEqual(says.answer === 'none' ? [] : [payment._id]);
  });

  it('records one of twenty concurrent decisions, and wakes the workflow once', async () => {
    const payment = await atBank();
    const names = ['approve', 'card_declined', 'suspected_fraud', 'approve_after_5s'] as const;
    const tries = Array.from({ length: 20 }, async (_, index) =>
      decide(payment, names[index % 4]!),
    );
    const responses = await Promise.all(tries);
    const decided = await bench.read(payment);
    expect(names).toContain(decided.attempts[0]!.bank!.outcome);
    expect(bench.temporal.wakes).toEqual([payment._id]);
    for (const response of responses) expect(response.location).toBe(checkout(payment));
    await decide(payment, 'insufficient_funds');
    expect((await bench.read(payment)).attempts).toEqual(decided.attempts);
    expect(bench.temporal.wakes).toHaveLength(1);
  });

  it('records a late decision before the attempt is given up', async () => {
    const payment = await bench.put(paymentIn('silent'));
    await decide(payment, 'approve');
    expect((await bench.read(payment)).attempts[0]!.bank!.outcome).toBe('approve');
    expect(bench.temporal.wakes).toEqual([payment._id]);
  });

  it('records the decision while Temporal is unavailable', async () => {
    const payment = await atBank();
    bench.temporal.onWake = async () => {
      throw new TemporalUnavailable('away');
    };
    const response = await decide(payment, 'approve');
    expect([response.status, response.location]).toEqual([303, checkout(payment)]);
    expect((await bench.read(payment)).attempts[0]!.bank!.outcome).toBe('approve');
    expect(bench.lines.join('')).toContain('a workflow could not be woken');
  });
});

describe('3-D Secure', () => {
  it('redirects to the page for the code, and records no decision', async () => {
    const payment = await atBank();
    const before = await bench.bytes(payment);
    const response = await decide(payment, 'approve_3ds');
    expect([response.status, response.location]).toEqual([303, bench.bankPath(payment, '/code')]);
    const page = await bench.call(response.location!);
    expect(page.text).toContain(`action="${bench.bankPath(payment)}"`);
    expect(await bench.bytes(payment)).toBe(before);
  });

  it.each([
    ['approves the right code', SANDBOX_3DS_CODE, 'approve_3ds', 'approved'],
    ['accepts blanks between the digits', '123 456', 'approve_3ds', 'approved'],
    ['declines a wrong code', '654321', 'authentication_failed', 'declined'],
  ])('%s', async (_, code, outcome, answer) => {
    const payment = await atBank();
    await confirm(payment, code);
    const { bank } = (await bench.read(payment)).attempts[0]!;
    expect(bank).toMatchObject({ outcome, says: { answer } });
    expect(bench.temporal.wakes).toEqual([payment._id]);
  });

  it('shows the page again if no code was entered', async () => {
    const payment = await atBank();
    const response = await confirm(payment, ' ');
    expect(response.status).toBe(422);
    expect(response.text).toContain('data-view="code"');
    expect((await bench.read(payment)).attempts[0]!.bank).toBeNull();
  });
});

describe("the bank's page", () => {
  it('offers every choice once', async () => {
    const offered = [...(await pageOf({})).matchAll(/name="outcome" [^>]*value="(\w+)"/g)];
    expect(offered.map(([, name]) => String(name)).toSorted()).toEqual(CHOICES.toSorted());
  });

  it.each(TEST_CARDS)('preselects $preselects for $number', async (card) => {
    const kept = { brand: card.brand, last4: card.number.slice(-4) };
    const payment = await atBank({ attempts: [makeAttempt({ card: kept })] });
    const { text } = await bench.call(bench.bankPath(payment));
    const checked = [...text.matchAll(/value="(\w+)" checked/g)].map(([, name]) => name);
    expect(checked).toEqual([card.preselects]);
  });

  it('states in the language of the payment that no card is charged', async () => {
    expect(await pageOf({})).toContain('no card is charged');
    expect(await pageOf({ locale: 'ru' })).toContain('с карты ничего не спишется');
    expect(await pageOf({ locale: 'hy' })).toContain('քարտից գումար չի գանձվի');
  });
});
