import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGES, SITUATIONS, TABLE, destinationOf, situationOf } from '../../checkout/table.ts';
import type { Cell, PageName, Situation } from '../../checkout/table.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { BANK_TIMEOUT_MS, openBench, paymentIn } from './harness.ts';
import type { Bench } from './harness.ts';

const cells = SITUATIONS.flatMap((situation) =>
  PAGES.map((page): [Situation, PageName, Cell] => [situation, page, TABLE[situation][page]]),
);

const atBankSince = (since: Date, attempt: Partial<Attempt> = {}): Payment =>
  makePayment({
    status: 'processing',
    attempts: [makeAttempt({ created_at: since, ...attempt })],
  });

describe('the situation of a payment', () => {
  const now = new Date('2026-01-01T12:00:00.000Z');
  const before = (ms: number) => new Date(now.getTime() - ms);
  const situation = (payment: Payment) =>
    situationOf(payment, { now, bankTimeoutMs: BANK_TIMEOUT_MS });

  it('is over from the very moment of its expiry', () => {
    expect(situation(makePayment({ expires_at: now }))).toBe('over');
    expect(situation(makePayment({ expires_at: before(-1) }))).toBe('open');
  });

  it('is silent from the very end of the time that the bank has', () => {
    expect(situation(atBankSince(before(BANK_TIMEOUT_MS)))).toBe('silent');
    expect(situation(atBankSince(before(BANK_TIMEOUT_MS - 1)))).toBe('at_bank');
  });

  it('waits for a bank that keeps silent until its time is over, then is silent', () => {
    const bank = sandboxDecision('never_answer', before(1_000));
    expect(situation(atBankSince(before(2_000), { bank }))).toBe('waiting');
    expect(situation(atBankSince(before(BANK_TIMEOUT_MS), { bank }))).toBe('silent');
  });

  it('waits for a delayed answer however long the attempt is open', () => {
    const bank = sandboxDecision('approve_after_30s', before(1_000));
    expect(situation(atBankSince(before(10 * BANK_TIMEOUT_MS), { bank }))).toBe('waiting');
  });

  it.each([
    ['before it is asked', {}],
    ['while it cancels', { gave_up_at: now }],
    ['although it keeps silent', { bank: sandboxDecision('never_answer', before(1)) }],
    ['although it approved too late', { gave_up_at: now, bank: sandboxDecision('approve', now) }],
  ])('is leaving once the customer has turned back from the bank, %s', (_, how) => {
    const turnedBack = { turned_back_at: before(1), ...how };
    expect(situation(atBankSince(before(BANK_TIMEOUT_MS), turnedBack))).toBe('leaving');
  });

  it('waits for an answer that came before the attempt was released', () => {
    const bank = sandboxDecision('approve', now);
    expect(situation(atBankSince(before(2), { turned_back_at: before(1), bank }))).toBe('waiting');
  });

  it('is silent while an attempt that was given up is being cancelled at the bank', () => {
    expect(situation(atBankSince(before(1), { gave_up_at: now }))).toBe('silent');
  });
});

describe('the table', () => {
  it.each(cells)('when %s, from the %s page it never goes in a circle', (situation, page) => {
    const end = destinationOf(situation, page);
    expect(TABLE[situation][end.page]).toEqual({ show: end.view });
  });
});

describe('the pages', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench('table');
  });
  afterAll(async () => bench.close());

  /** The path of a page; an old bank page is that of an attempt before the last one. */
  function pathOf(payment: Payment, page: PageName): string {
    if (page === 'checkout') return `/c/${payment.checkout_token}`;
    if (page === 'cancel') return `/c/${payment.checkout_token}/cancel`;
    if (page === 'bank') return bench.bankPath(payment);
    if (page === 'code') return bench.bankPath(payment, '/code');
    return bench.bankPath(payment, '', payment.attempts[0]!.id);
  }

  function put(situation: Situation): Promise<Payment> {
    const payment = paymentIn(situation);
    const older = makeAttempt({ status: 'declined', failure_code: 'card_declined' });
    return bench.put({ ...payment, attempts: [older, ...payment.attempts] });
  }

  it.each(cells)(
    'when %s, the %s page is %j and changes nothing',
    async (situation, page, cell) => {
      const payment = await put(situation);
      const before = await bench.bytes(payment);
      const answer = await bench.call(pathOf(payment, page));
      const head = await bench.call(pathOf(payment, page), { method: 'HEAD' });
      if ('show' in cell) {
        expect(answer.status).toBe(200);
        expect(answer.text).toContain(`data-view="${cell.show}"`);
      } else {
        expect(answer.status).toBe(303);
        expect(answer.location).toBe(pathOf(payment, cell.go));
      }
      expect(head.status).toBe(answer.status);
      expect(head.location).toBe(answer.location);
      expect(head.text).toBe('');
      expect(await bench.bytes(payment)).toBe(before);
      expect(bench.temporal.asks).toEqual([]);
      expect(bench.temporal.wakes).toEqual([]);
    },
  );

  it.each(SITUATIONS)('when %s, following every redirect ends on a page', async (situation) => {
    const payment = await put(situation);
    for (const page of PAGES) {
      let answer = await bench.call(pathOf(payment, page));
      for (let hops = 0; answer.location !== null; hops += 1) {
        expect(hops).toBeLessThan(PAGES.length);
        answer = await bench.call(answer.location);
      }
      expect(answer.status).toBe(200);
    }
  });

  it.each(SITUATIONS)('when %s, the status tells what its checkout shows', async (situation) => {
    const payment = await put(situation);
    const before = await bench.bytes(payment);
    const answer = await bench.call(`/c/${payment.checkout_token}/status`);
    const { view } = destinationOf(situation, 'checkout');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text)).toEqual({ status: payment.status, view });
    expect(await bench.bytes(payment)).toBe(before);
  });
});
