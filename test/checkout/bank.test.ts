import { afterEach, describe, expect, it } from 'vitest';
import { CHOICES, SANDBOX_OUTCOMES, TEST_CARDS } from '../../domain/bank.ts';
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

const pageOf = async (overrides: Partial<Payment>) =>
  (await bench.call(bench.bankPath(await atBank(overrides)))).text;

/** Returns the one-click choices for a card. */
const buttons = async (last4: string) => {
  const attempts = [makeAttempt({ card: { brand: 'visa', last4 } })];
  const text = await pageOf({ attempts });
  return [...text.matchAll(/name="quick" value="(\w+)"/g)].map(([, name]) => name);
};

/** Returns the line of each choice. */
const lines = async (overrides: Partial<Payment>) => {
  const path = bench.bankPath(await atBank({ locale: 'en', ...overrides }));
  const { text } = await bench.call(path);
  const shown = text.matchAll(/id="outcome-(\w+)-then">([^<]+)</g);
  return Object.fromEntries([...shown].map(([, name, line]) => [name, line]));
};

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

  it('has one-click buttons for the outcome of the card, an approval and turning back', async () => {
    expect(await buttons('4242')).toEqual(['approve', 'turn_back']);
    expect(await buttons('9995')).toEqual(['insufficient_funds', 'approve', 'turn_back']);
  });

  it('carries out a one-click choice, and not the one that is checked in the list', async () => {
    const payment = await atBank();
    const fields = { quick: 'card_declined', outcome: 'approve' };
    await bench.post(bench.bankPath(payment), fields);
    expect((await bench.read(payment)).attempts[0]!.bank!.outcome).toBe('card_declined');
  });

  it('says which status and event follow', async () => {
    const first = await lines({});
    expect(Object.keys(first).toSorted()).toEqual(CHOICES.toSorted());
    expect(first).toMatchObject({
      approve: 'Status: completed. Event: payment.completed.',
      card_declined: 'Status: created. Event: payment.attempt_failed.',
      lost_or_stolen: 'Status: failed. Event: payment.failed.',
      decline_after_30s: 'Status: processing, then created. Event: payment.attempt_failed.',
      turn_back: 'Status: created. No event; the attempt does not count.',
    });
    const declined = { status: 'declined', failure_code: 'card_declined' } as const;
    const earlier = Array.from({ length: 4 }, () => makeAttempt(declined));
    const last = await lines({ attempts: [...earlier, makeAttempt()] });
    expect(last['card_declined']).toBe('Status: failed. Event: payment.failed.');
    const russian = await lines({ locale: 'ru' });
    expect(russian['approve']).toBe('Статус: completed. Событие: payment.completed.');
  });

  it('states in the language of the payment that no card is charged', async () => {
    expect(await pageOf({})).toContain('no card is charged');
    expect(await pageOf({ locale: 'ru' })).toContain('с карты ничего не спишется');
    expect(await pageOf({ locale: 'hy' })).toContain('քարտից գումար չի գանձվի');
  });
});
