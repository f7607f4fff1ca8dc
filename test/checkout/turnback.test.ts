/** Turning back from the bank, and choices at the bank after the attempt has ended. */
import { afterEach, describe, expect, it } from 'vitest';
import { sandboxBank } from '../../activities/bank.ts';
import { settlePayment } from '../../activities/settle.ts';
import { LOCALES } from '../../domain/merchant.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { makeAttempt } from '../support/rows/payment.ts';
import { BANK_TIMEOUT_MS, CARD, openBench, paymentIn } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const ROUNDS = 40;

const checkout = (payment: Payment) => `/c/${payment.checkout_token}`;
const atBank = async (overrides: Partial<Payment> = {}) =>
  bench.put(paymentIn('at_bank', overrides));
const decide = async (payment: Payment, outcome: string, attemptId?: string) =>
  bench.post(bench.bankPath(payment, '', attemptId), { outcome });

/** Settles the payment like its workflow, without a Temporal server. */
async function settle({ _id }: Payment) {
  const { mongo } = bench;
  const links = { checkoutUrl: 'http://pay.example' };
  const temporal = { startDelivery: async () => undefined };
  const settings = { links, temporal, bankTimeoutMs: BANK_TIMEOUT_MS };
  const input = { payment_id: _id, message: { kind: 'look' }, now_ms: Date.now() } as const;
  return (await settlePayment({ mongo, bank: sandboxBank(mongo), ...settings }, input)).status;
}

const bench = closeAfterTests(await openBench('turnback'));
bench.temporal.onAsk = settle;
afterEach(() => {
  bench.temporal.wakes = [];
  bench.temporal.asks = [];
  bench.temporal.onAsk = settle;
});

describe('turning back', () => {
  it('leads back to the card form, and the next attempt has its own URL', async () => {
    const payment = await atBank();
    expect((await decide(payment, 'turn_back')).location).toBe(checkout(payment));
    const back = await bench.read(payment);
    expect([back.status, back.attempts[0]!.status]).toEqual(['created', 'turned_back']);
    const { text } = await bench.call(checkout(payment));
    expect(text).toContain('id="turned-back"');
    expect(text).not.toContain('id="attempts-left"');
    const { location } = await bench.post(`${checkout(payment)}/pay`, CARD);
    const again = await bench.read(payment);
    expect(location).toBe(bench.bankPath(again));
    expect(location).not.toBe(bench.bankPath(payment));
    await decide(again, 'approve');
    const statuses = (await bench.read(payment)).attempts.map(({ status }) => status);
    expect(statuses).toEqual(['turned_back', 'pending']);
    expect(bench.temporal.wakes).toEqual([payment._id]);
  });

  it('asks the workflow once for twenty concurrent requests', async () => {
    const payment = await atBank();
    await Promise.all(Array.from({ length: 20 }, async () => decide(payment, 'turn_back')));
    expect(bench.temporal.asks.map(({ message }) => message)).toEqual([{ kind: 'look' }]);
  });

  it('is refused once the bank has decided', async () => {
    const payment = await atBank();
    await decide(payment, 'never_answer');
    const before = await bench.bytes(payment);
    const response = await decide(payment, 'turn_back');
    expect([response.status, response.location]).toEqual([303, checkout(payment)]);
    expect(await bench.bytes(payment)).toBe(before);
    expect(bench.temporal.asks).toEqual([]);
  });

  it('expires a payment whose lifetime has ended', async () => {
    const payment = await atBank({ expires_at: new Date(Date.now() - 1) });
    await decide(payment, 'turn_back');
    expect((await bench.read(payment)).status).toBe('expired');
    expect((await bench.call(checkout(payment))).text).toContain('data-view="expired"');
  });

  it.each([
    ['en', 'Leaving the bank'],
    ['ru', 'Вы уходите из банка'],
    ['hy', 'Դուք դուրս եք գալիս բանկից'],
  ])('shows a page that reloads while Temporal is unavailable (%s)', async (lang, heading) => {
    const payment = await atBank();
    bench.temporal.onAsk = async () => {
      throw new TemporalUnavailable('away');
    };
    const response = await decide(payment, 'turn_back');
    expect([response.status, response.location]).toEqual([303, checkout(payment)]);
    const { text } = await bench.call(`${checkout(payment)}?lang=${lang}`);
    expect(text).toContain('data-view="leaving"');
    expect(text).toContain(heading);
    expect(bench.lines.join('')).toContain('a workflow could not be woken');
    await settle(payment);
    const { text: status } = await bench.call(`${checkout(payment)}/status`);
    expect(JSON.parse(status)).toEqual({ status: 'created', view: 'form' });
  });

  it('accepts the bank’s decision until the bank has been asked', async () => {
    const payment = await atBank();
    bench.temporal.onAsk = async () => {
      throw new TemporalUnavailable('away');
    };
    await decide(payment, 'turn_back');
    await decide(payment, 'approve');
    expect(await settle(payment)).toBe('completed');
  });
});

describe('a choice that is made too late', () => {
  const cancelled = { gave_up_at: new Date() };
  const left = { ...cancelled, turned_back_at: new Date() };
  const timedOut = { ...cancelled, status: 'declined', failure_code: 'bank_timeout' } as const;
  const ways: [string, string, Partial<Attempt>, Payment['status']][] = [
    ['the customer turned back', 'late_turned_back', { ...left, status: 'turned_back' }, 'created'],
    ['it was canceled after that', 'late_turned_back', { status: 'turned_back' }, 'canceled'],
    ['the customer is leaving', 'late_turned_back', left, 'processing'],
    ['its approval was reversed', 'late_turned_back', { ...left, status: 'reversed' }, 'created'],
    ['the attempt is being canceled', 'late_timed_out', cancelled, 'processing'],
    ['the bank’s time ran out', 'late_timed_out', timedOut, 'created'],
  ];

  it.each(ways)(
    'gets the reason when %s (%s), and changes nothing',
    async (_, view, how, status) => {
      const payment = await atBank({ status, attempts: [makeAttempt(how)] });
      const before = await bench.bytes(payment);
      for (const outcome of ['approve', 'card_declined', 'approve_3ds']) {
        const response = await decide(payment, outcome);
        expect(response.status).toBe(409);
        expect(response.text).toContain(`data-view="${view}"`);
        expect(response.text).toContain(`href="${checkout(payment)}" id="onward"`);
        expect(response.text).not.toContain('4242');
      }
      expect((await decide(payment, 'turn_back')).location).toBe(checkout(payment));
      expect(await bench.bytes(payment)).toBe(before);
      expect(bench.temporal.wakes).toEqual([]);
    },
  );

  it('gets the reason on the page of an earlier attempt', async () => {
    const old = makeAttempt({ status: 'declined', failure_code: 'card_declined' });
    const payment = await atBank({ attempts: [old, makeAttempt({ number: 2 })] });
    const before = await bench.bytes(payment);
    const response = await decide(payment, 'approve', old.id);
    expect(response.status).toBe(409);
    expect(response.text).toContain('data-view="late_decided"');
    expect(await bench.bytes(payment)).toBe(before);
    const back = await decide(payment, 'turn_back', old.id);
    expect([back.status, back.location]).toEqual([303, bench.bankPath(payment)]);
  });

  it('gets the reason in the language of the payment', async () => {
    const texts = LOCALES.map(async (locale) => {
      const attempts = [makeAttempt({ status: 'turned_back' })];
      const payment = await atBank({ status: 'created', locale, attempts });
      return (await decide(payment, 'approve')).text;
    });
    const [hy, en, ru] = await Promise.all(texts);
    expect(en).toContain('nothing is charged for this attempt');
    expect(ru).toContain('деньги по этой попытке не списываются');
    expect(hy).toContain('այս փորձի համար գումար չի գանձվում');
  });
});

describe('two tabs at once', () => {
  it('either complete the payment or explain that the approval came too late', async () => {
    const results = { paid: 0, late: 0 };
    for (let i = 0; i < ROUNDS; i += 1) {
      const payment = await atBank();
      const approval = async () => decide(payment, 'approve');
      const back = async () => decide(payment, 'turn_back');
      const [first, second] = i % 2 === 0 ? [approval, back] : [back, approval];
      const responses = await Promise.all([first(), second()]);
      const response = responses[i % 2]!;
      await settle(payment);
      const after = await bench.read(payment);
      const [{ status, bank }] = after.attempts as [Attempt];
      const isPaid = response.status === 303;
      expect([isPaid, after.status, status, bank?.says.answer]).toEqual(
        isPaid
          ? [true, 'completed', 'approved', 'approved']
          : [false, 'created', 'turned_back', undefined],
      );
      if (!isPaid) expect(response.text).toContain('data-view="late_turned_back"');
      results[isPaid ? 'paid' : 'late'] += 1;
    }
    expect(results.paid + results.late).toBe(ROUNDS);
    expect(results.paid).toBeGreaterThan(0);
  });
});
