import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateOf } from '../../checkout/state.ts';
import type { PageState } from '../../checkout/state.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { makeAttempt, makePayment, makeTransfer } from '../support/rows/payment.ts';
import { BANK_TIMEOUT_MS, STATES, openBench, paymentIn } from './harness.ts';
import type { Bench } from './harness.ts';

const atBankSince = (since: Date, attempt: Partial<Attempt> = {}): Payment =>
  makePayment({
    status: 'processing',
    attempts: [makeAttempt({ created_at: since, ...attempt })],
  });

describe('stateOf', () => {
  const now = new Date('2026-01-01T12:00:00.000Z');
  const before = (ms: number) => new Date(now.getTime() - ms);
  const state = (payment: Payment) => stateOf(payment, { now, bankTimeoutMs: BANK_TIMEOUT_MS });

  it('is over from the millisecond in which the payment expires', () => {
    expect(state(makePayment({ expires_at: now }))).toBe('over');
    expect(state(makePayment({ expires_at: before(-1) }))).toBe('open');
  });

  it('is silent from the millisecond in which the bank times out', () => {
    expect(state(atBankSince(before(BANK_TIMEOUT_MS)))).toBe('silent');
    expect(state(atBankSince(before(BANK_TIMEOUT_MS - 1)))).toBe('at_bank');
  });

  it('is waiting for a bank that never answers, and silent after the timeout', () => {
    const bank = sandboxDecision('never_answer', before(1_000));
    expect(state(atBankSince(before(2_000), { bank }))).toBe('waiting');
    expect(state(atBankSince(before(BANK_TIMEOUT_MS), { bank }))).toBe('silent');
  });

  it('is waiting for a delayed answer even after the timeout', () => {
    const bank = sandboxDecision('approve_after_30s', before(1_000));
    expect(state(atBankSince(before(10 * BANK_TIMEOUT_MS), { bank }))).toBe('waiting');
  });

  it.each([
    ['before the bank is asked', {}],
    ['while the bank cancels', { gave_up_at: now }],
    ['even if the bank never answers', { bank: sandboxDecision('never_answer', before(1)) }],
    ['even if it approved too late', { gave_up_at: now, bank: sandboxDecision('approve', now) }],
  ])('is leaving once the customer has turned back, %s', (_, how) => {
    const turnedBack = { turned_back_at: before(1), ...how };
    expect(state(atBankSince(before(BANK_TIMEOUT_MS), turnedBack))).toBe('leaving');
  });

  it('is waiting for an answer that came before the attempt was given up', () => {
    const bank = sandboxDecision('approve', now);
    expect(state(atBankSince(before(2), { turned_back_at: before(1), bank }))).toBe('waiting');
  });

  it('waits for a transfer until the payment expires, not until the bank times out', () => {
    const attempts = [makeTransfer({ created_at: before(10 * BANK_TIMEOUT_MS) })];
    const waiting = (expires_at: Date) =>
      state(makePayment({ status: 'processing', expires_at, attempts }));
    expect(waiting(before(-1))).toBe('instructed');
    expect(waiting(now)).toBe('silent');
  });

  it('is silent while an attempt that was given up is canceled at the bank', () => {
    expect(state(atBankSince(before(1), { gave_up_at: now }))).toBe('silent');
  });
});

describe('GET of each page', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench('state');
  });
  afterAll(async () => bench.close());

  const ADDRESSES = ['checkout', 'cancel', 'receipt', 'bank', 'code', 'old_bank'] as const;
  type Address = (typeof ADDRESSES)[number];

  const SHOWN: Partial<Record<PageState, Partial<Record<Address, string>>>> = {
    open: { checkout: 'form', cancel: 'cancel' },
    over: { checkout: 'expired' },
    at_bank: { bank: 'bank', code: 'code' },
    instructed: { checkout: 'instructions', bank: 'bank' },
    completed: { checkout: 'completed', receipt: 'receipt' },
  };
  /** Returns the view of a path, if it has one. A state without a row has a view of its name. */
  const viewOf = (state: PageState, address: Address) =>
    (SHOWN[state] ?? { checkout: state })[address];
  /** Returns the target of the redirect from a path without a view. */
  const targetOf = (state: PageState, address: Address): Address =>
    state === 'at_bank' && address !== 'old_bank' ? 'bank' : 'checkout';
  const cases = STATES.flatMap((state) =>
    ADDRESSES.map((address): [PageState, Address] => [state, address]),
  );

  /** Returns the path of an address. `old_bank` is the bank's page of an earlier attempt. */
  function pathOf(payment: Payment, address: Address): string {
    if (address === 'checkout') return `/c/${payment.checkout_token}`;
    if (address === 'cancel' || address === 'receipt') {
      return `/c/${payment.checkout_token}/${address}`;
    }
    if (address === 'bank') return bench.bankPath(payment);
    if (address === 'code') return bench.bankPath(payment, '/code');
    return bench.bankPath(payment, '', payment.attempts[0]!.id);
  }

  function put(state: PageState): Promise<Payment> {
    const payment = paymentIn(state);
    const older = makeAttempt({ status: 'declined', failure_code: 'card_declined' });
    // The first opening is recorded (opening.test.ts). Later ones change nothing.
    const opened = { checkout_opened_at: new Date() };
    return bench.put({ ...payment, ...opened, attempts: [older, ...payment.attempts] });
  }

  it.each(cases)('when %s, %s shows its page or redirects', async (state, address) => {
    const payment = await put(state);
    const before = await bench.bytes(payment);
    const response = await bench.call(pathOf(payment, address));
    const head = await bench.call(pathOf(payment, address), { method: 'HEAD' });
    const view = viewOf(state, address);
    if (view) {
      expect(response.status).toBe(200);
      expect(response.text).toContain(`data-view="${view}"`);
    } else {
      expect(response.status).toBe(303);
      expect(response.location).toBe(pathOf(payment, targetOf(state, address)));
    }
    expect(head.status).toBe(response.status);
    expect(head.location).toBe(response.location);
    expect(head.text).toBe('');
    expect(await bench.bytes(payment)).toBe(before);
    expect(bench.temporal.asks).toEqual([]);
    expect(bench.temporal.wakes).toEqual([]);
  });

  it.each(STATES)('when %s, every redirect leads to a page', async (state) => {
    const payment = await put(state);
    for (const address of ADDRESSES) {
      let response = await bench.call(pathOf(payment, address));
      for (let hops = 0; response.location !== null; hops += 1) {
        expect(hops).toBeLessThan(ADDRESSES.length);
        response = await bench.call(response.location);
      }
      expect(response.status).toBe(200);
    }
  });

  it.each(STATES)('when %s, the status names the view of the checkout', async (state) => {
    const payment = await put(state);
    const before = await bench.bytes(payment);
    const response = await bench.call(`/c/${payment.checkout_token}/status`);
    const view = viewOf(state, targetOf(state, 'checkout'));
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(response.text)).toEqual({ status: payment.status, view });
    expect(await bench.bytes(payment)).toBe(before);
  });
});
