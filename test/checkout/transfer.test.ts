/** Paying by bank transfer through the pages. */
import { afterEach, describe, expect, it } from 'vitest';
import { sandboxBank } from '../../activities/bank.ts';
import { settlePayment } from '../../activities/settle.ts';
import { translatorOf } from '../../checkout/text.ts';
import type { TextKey } from '../../checkout/text.ts';
import { TRANSFER_OUTCOMES, choicesFor } from '../../domain/bank.ts';
import { LOCALES } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment, makeTransfer } from '../support/rows/payment.ts';
import { BANK_TIMEOUT_MS, CARD, openBench, paymentIn } from './harness.ts';

const TURNED_BACK = { status: 'turned_back' } as const;

const bench = closeAfterTests(await openBench('transfer'));

/** Settles the payment like its workflow, without a Temporal server. */
async function settle({ _id }: Payment, now = new Date()) {
  const { mongo } = bench;
  const links = { checkoutUrl: 'http://pay.example' };
  const temporal = { startDelivery: async () => undefined };
  const settings = { links, temporal, bankTimeoutMs: BANK_TIMEOUT_MS };
  const input = { payment_id: _id, message: { kind: 'look' }, now_ms: now.getTime() } as const;
  return (await settlePayment({ mongo, bank: sandboxBank(mongo), ...settings }, input)).status;
}
bench.temporal.onAsk = async (payment) => settle(payment);
bench.temporal.onWake = async (payment) => void (await settle(payment));
afterEach(() => {
  bench.temporal.wakes = [];
  bench.temporal.asks = [];
});

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;
const page = async (payment: Payment, tail = '') => (await bench.call(path(payment, tail))).text;
const start = async (payment: Payment) => bench.post(path(payment, '/pay?method=bank_transfer'));
const decide = async (payment: Payment, outcome: string) =>
  bench.post(bench.bankPath(payment), { outcome });
const viewOf = (text: string) => /<main[^>]* data-view="(\w+)"/.exec(text)?.[1];
const hrefOf = (text: string, id: string) =>
  new RegExp(`<a [^>]*href="([^"]*)"[^>]* id="${id}"`).exec(text)?.[1]?.replaceAll('&amp;', '&');

/** Returns a payment that waits for a transfer. */
async function instructed(overrides: Partial<Payment> = {}): Promise<Payment> {
  return bench.put(paymentIn('instructed', overrides));
}

describe('a bank transfer', () => {
  it('gets its details and a reference, and completes the payment when it arrives', async () => {
    const payment = await bench.put(makePayment());
    const { status, location } = await start(payment);
    expect([status, location]).toEqual([303, path(payment)]);
    const [attempt] = (await bench.read(payment)).attempts;
    expect(attempt).toMatchObject({ method: 'bank_transfer', bank: null, status: 'pending' });
    const { reference } = (attempt as ReturnType<typeof makeTransfer> & { method: 'bank_transfer' })
      .transfer;
    expect(reference).toMatch(/^TG-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    const text = await page(payment);
    expect(viewOf(text)).toBe('instructions');
    for (const told of [reference, 'SANDBOX-0001', '29 minutes']) expect(text).toContain(told);
    const bank = (await bench.call(hrefOf(text, 'sandbox')!)).text;
    expect(bank).toContain(reference);
    const offered = [...bank.matchAll(/name="outcome" id="[^"]*" value="(\w+)"/g)];
    expect(offered.map(([, name]) => name)).toEqual(TRANSFER_OUTCOMES);
    await decide(await bench.read(payment), 'approve');
    expect(bench.temporal.wakes).toEqual([payment._id]);
    expect(viewOf(await page(payment))).toBe('completed');
  });

  it.each(LOCALES)('has texts of its own on its pages in %s', async (lang) => {
    const t = translatorOf(lang);
    const pages: [Partial<Payment>, TextKey][] = [
      [{}, 'transfer.text'],
      [{ attempts: [makeTransfer({ turned_back_at: new Date() })] }, 'transfer.leaving_text'],
      [{ expires_at: new Date() }, 'transfer.silent_text'],
      [{ status: 'expired' }, 'transfer.expired_text'],
      [{ status: 'created', attempts: [makeTransfer(TURNED_BACK)] }, 'transfer.turned_back'],
    ];
    for (const [overrides, key] of pages) {
      const text = await page(await instructed(overrides), `?lang=${lang}`);
      expect(text).toContain(t(key));
      expect(text).not.toMatch(/undefined|>transfer\.|•••• /);
    }
  });

  it('opens one attempt for twenty concurrent requests', async () => {
    const payment = await bench.put(makePayment());
    const replies = await Promise.all(Array.from({ length: 20 }, async () => start(payment)));
    expect((await bench.read(payment)).attempts).toHaveLength(1);
    for (const { status, location } of replies) {
      expect([status, location]).toEqual([303, path(payment)]);
    }
  });

  it('and a card in another tab at once have one result, which both tabs see', async () => {
    for (let round = 0; round < 4; round += 1) {
      const payment = await bench.put(makePayment());
      const card = async () => bench.post(path(payment, '/pay'), CARD);
      const tabs = round % 2 === 0 ? [start(payment), card()] : [card(), start(payment)];
      const places = (await Promise.all(tabs)).map(({ location }) => location);
      const after = await bench.read(payment);
      const method = after.attempts[0]?.method;
      expect(after.attempts).toHaveLength(1);
      const home = method === 'card' ? bench.bankPath(after) : path(payment);
      expect(places).toEqual([home, home]);
    }
  });

  it('is decided once, whatever twenty requests choose', async () => {
    const payment = await instructed();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        decide(payment, index % 2 === 0 ? 'approve' : 'wrong_amount'),
      ),
    );
    expect(bench.temporal.wakes).toEqual([payment._id]);
    expect(await bench.mongo.events.countDocuments({ m: payment.m })).toBe(1);
  });

  it('of the wrong amount is sent back, and the customer may try again', async () => {
    const payment = await instructed();
    await decide(payment, 'wrong_amount');
    const after = await bench.read(payment);
    expect(after.status).toBe('created');
    expect(after.attempts[0]).toMatchObject({ failure_code: 'processing_error' });
    expect(await page(payment)).toContain('sent the money back');
    await start(payment);
    const [first, second] = (await bench.read(payment)).attempts.map((each) =>
      each.method === 'bank_transfer' ? each.transfer.reference : undefined,
    );
    expect(second).toMatch(/^TG-/);
    expect(second).not.toBe(first);
  });

  it('refuses what can only happen to a card', async () => {
    const ofCards = choicesFor('card').filter(
      (name) => !choicesFor('bank_transfer').includes(name),
    );
    expect(ofCards).toContain('approve_3ds');
    const payment = await instructed();
    const before = await bench.bytes(payment);
    for (const outcome of ofCards) {
      const { status, text } = await decide(payment, outcome);
      expect([status, viewOf(text)]).toEqual([422, 'bank']);
      expect(text).toContain('Choose what happens to the transfer.');
    }
    expect(await bench.bytes(payment)).toBe(before);
  });

  it('is not an outcome of a card', async () => {
    const payment = await bench.put(paymentIn('at_bank'));
    expect((await decide(payment, 'wrong_amount')).status).toBe(422);
  });

  it('that arrives later is waited for with its details, and without a second choice', async () => {
    const payment = await instructed();
    await decide(payment, 'approve_after_30s');
    const text = await page(payment);
    expect(viewOf(text)).toBe('waiting');
    expect(text).toContain('Waiting for your transfer');
    expect(text).toContain('TG-7K3M-9P2A');
    expect(text).not.toContain('id="turn-back"');
    expect(await settle(payment, new Date(Date.now() + 31_000))).toBe('completed');
  });

  it.each(['open', 'silent'] as const)(
    'that never arrives (%s) expires the payment',
    async (how) => {
      const payment = await instructed();
      if (how === 'silent') await decide(payment, 'never_answer');
      const end = payment.expires_at.getTime();
      expect(await settle(payment, new Date(end - 1))).toBe('processing');
      expect(await settle(payment, new Date(end))).toBe('expired');
      const { attempts } = await bench.read(payment);
      expect(attempts).toMatchObject([{ status: 'declined', failure_code: 'bank_timeout' }]);
      expect(await page(payment)).toContain('If you have already sent the money');
    },
  );

  it('that arrives after the payment has expired is reversed, and nothing is paid', async () => {
    const payment = await instructed();
    await decide(payment, 'approve_after_timeout');
    await settle(payment, payment.expires_at);
    expect((await bench.read(payment)).attempts[0]!.bank!.says.answer).toBe('approved');
    await settle(payment, new Date(payment.expires_at.getTime() + 60_000));
    const { status, attempts } = await bench.read(payment);
    expect([status, attempts[0]!.status]).toEqual(['expired', 'reversed']);
  });

  it('cannot be canceled while it is awaited, but given up for another method', async () => {
    const payment = await instructed();
    const refused = await bench.post(path(payment, '/cancel'));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('first choose to pay another way');
    await decide(payment, 'turn_back');
    const { status, attempts } = await bench.read(payment);
    expect([status, attempts[0]!.status]).toEqual(['created', 'turned_back']);
    const text = await page(payment);
    expect(text).toContain('id="card-form"');
    expect(text).toContain('Do not use the earlier bank details');
    const late = await decide(payment, 'approve');
    expect([late.status, viewOf(late.text)]).toEqual([409, 'late_turned_back']);
  });
});
