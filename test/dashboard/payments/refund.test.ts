import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../domain/payment.ts';
import { entriesAbout } from '../../support/audit.ts';
import { updateUser } from '../../../store/users.ts';
import { PASSWORD } from '../harness.ts';
import { openPayments } from './ground.ts';

const ground = await openPayments('dashboard-refund');
const { mongo } = ground;
const support = await ground.signIn('support');

const paid = async (overrides: Partial<Payment> = {}) =>
  ground.put({ status: 'completed', ...overrides });
const refundsOf = async ({ _id }: Payment) =>
  mongo.refunds.find({ payment_id: _id }).sort({ _id: 1 }).toArray();
const check = async ({ _id }: Payment, query: Record<string, string>) =>
  support.get(`/payments/${_id}/refund/check?${new URLSearchParams(query).toString()}`);
const post = async ({ _id }: Payment, form: Record<string, string>) =>
  support.post(`/payments/${_id}/refund`, form);

/** Returns the hidden fields of the form, without the token of the session. */
function hiddenIn(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const fields = [...found].map(([, name = '', value = '']) => [name, value] as const);
  return Object.fromEntries(fields.filter(([name]) => name !== 'csrf'));
}

/** Fills in the first step. Returns the fields of the second. */
async function draft(
  payment: Payment,
  amount: string,
  reason = '',
): Promise<Record<string, string>> {
  const { html } = await support.get(`/payments/${payment._id}/refund`);
  const second = await check(payment, { ...hiddenIn(html), amount, reason });
  expect(second.status).toBe(200);
  return hiddenIn(second.html);
}

describe('GET /payments/:id/refund', () => {
  it.each([
    ['AMD', '12500', '12,500 AMD'],
    ['USD', '125.00', '125.00 USD'],
    ['KWD', '12.500', '12.500 KWD'],
  ])('offers the whole remaining amount in %s', async (currency, typed, shown) => {
    const payment = await paid({ currency });
    const { html } = await support.get(`/payments/${payment._id}/refund`);
    expect(html).toMatch(new RegExp(`<input [^>]*value="${typed}"[^>]*id="amount"`));
    expect(html.replaceAll('\u00a0', ' ')).toContain(`${shown} can be refunded.`);
  });

  it.each([
    ['a payment that is not paid', { status: 'created' as const }, 'cannot be refunded'],
    ['a payment that is refunded', { amount_refunded: 12_500 }, 'All of the payment is refunded'],
    [
      'a payment whose rest is being refunded',
      { refunds: { pending: 12_500, count: 1 } },
      'All of the payment is refunded',
    ],
    [
      'a payment with the most refunds',
      { refunds: { pending: 0, count: 100 } },
      'cannot be refunded',
    ],
  ])('offers nothing for %s', async (_, overrides, why) => {
    const payment = await paid(overrides);
    const { html } = await support.get(`/payments/${payment._id}/refund`);
    expect(html).toMatch(new RegExp(`id="not-refundable">[^<]*${why}`));
    expect((await support.get(`/payments/${payment._id}`)).html).not.toContain('id="refund"');
  });
});

describe('GET /payments/:id/refund/check', () => {
  it('shows exactly what will be refunded, and changes nothing', async () => {
    const payment = await paid({ currency: 'USD', amount: 12_500 });
    const query = { amount: '19,90', reason: 'duplicate', refundable: '12500' };
    const { html } = await check(payment, query);
    expect(html).toContain('<dd id="refund-amount">19.90\u00a0USD</dd>');
    expect(html).toContain('<dd id="refund-after">105.10\u00a0USD</dd>');
    expect(html).toContain('Paid twice');
    expect(hiddenIn(html)).toEqual({
      minor: '1990',
      refundable: '12500',
      reason: 'duplicate',
      key: expect.stringMatching(/^dashboard-[0-9A-Z]{26}$/),
    });
    expect(await refundsOf(payment)).toEqual([]);
  });

  it.each([
    ['AMD', 'en', '1 000', '1000'],
    ['AMD', 'hy', '1.000', '1000'],
    ['AMD', 'en', '1,000', '1000'],
    ['USD', 'en', '1,000.50', '100050'],
    ['USD', 'ru', '1.000,50', '100050'],
    ['USD', 'ru', '1000,5', '100050'],
    ['USD', 'hy', '1\u00a0000,5', '100050'],
    ['KWD', 'en', '1.000', '1000'],
    ['KWD', 'ru', '1,000', '1000'],
    ['KWD', 'en', '1,000.500', '1000500'],
    ['KWD', 'en', '1,000', undefined],
    ['AMD', 'en', '10.5', undefined],
    ['USD', 'en', '1e3', undefined],
    ['USD', 'en', '-5', undefined],
    ['USD', 'en', '１０', undefined],
    ['USD', 'en', '1 0 0,0.0', undefined],
  ] as const)(
    'reads an amount in %s in the language %s: %j',
    async (...[code, locale, typed, minor]) => {
      await updateUser(mongo, support.user, { locale });
      const payment = await paid({ currency: code, amount: 90_000_000 });
      const { status, html } = await check(payment, { amount: typed, refundable: '90000000' });
      await updateUser(mongo, support.user, { locale: 'en' });
      expect(status).toBe(minor === undefined ? 422 : 200);
      expect(hiddenIn(html)['minor']).toBe(minor);
    },
  );

  it.each([
    ['more than what remains', '125.01', '12500', 'At most 125.00\u00a0USD can be refunded.'],
    ['nothing', '0', '12500', 'Enter an amount in USD with at most 2 decimals.'],
    ['too many decimals', '1.2345', '12500', 'Enter an amount in USD with at most 2 decimals.'],
    ['no amount', '', '12500', 'Enter an amount in USD with at most 2 decimals.'],
    ['a remaining amount that has changed', '1', '12000', 'has changed meanwhile'],
  ])('refuses %s, and keeps the form', async (_, amount, refundable, message) => {
    const payment = await paid({ currency: 'USD' });
    const { status, html } = await check(payment, { amount, refundable, reason: 'other' });
    expect(status).toBe(422);
    expect(html).toContain(message);
    expect(html).toContain('id="amount-error"');
    expect(html).toContain('<option value="other" selected>');
    expect(hiddenIn(html)).toEqual({ refundable: '12500' });
  });

  it.each([
    ['a reason of its own', { reason: 'because' }],
    ['a remaining amount that is no number', { refundable: '1e3' }],
  ])('responds with 400 to %s', async (_, query) => {
    const payment = await paid();
    const given = { amount: '1', refundable: '12500', ...query };
    expect((await check(payment, given)).status).toBe(400);
  });
});

describe('POST /payments/:id/refund', () => {
  it('refunds the shown amount, and records who did it', async () => {
    const payment = await paid();
    const fields = await draft(payment, '2 500', 'requested_by_customer');
    const reply = await post(payment, fields);
    expect([reply.status, reply.to]).toEqual([303, `/payments/${payment._id}?done=refund_created`]);
    const [refund, ...more] = await refundsOf(payment);
    expect(more).toEqual([]);
    expect(refund).toMatchObject({
      amount: 2_500,
      reason: 'requested_by_customer',
      initiated_by: 'dashboard',
      status: 'pending',
    });
    expect(await entriesAbout(mongo, refund?._id)).toMatchObject([
      {
        action: 'refund.create',
        actor: { type: 'user', name: support.user._id },
        merchant_id: ground.merchant._id,
        after: { payment_id: payment._id, amount: 2_500, currency: 'AMD' },
      },
    ]);
    expect(ground.temporal.started).toContain(refund?._id);
  });

  it('has one effect for the same form, at once and again later', async () => {
    const payment = await paid();
    const fields = await draft(payment, '2500');
    const replies = await Promise.all([post(payment, fields), post(payment, fields)]);
    replies.push(await post(payment, fields));
    const to = `/payments/${payment._id}?done=refund_created`;
    expect(replies.map((reply) => reply.to)).toEqual([to, to, to]);
    const refunds = await refundsOf(payment);
    expect(refunds).toHaveLength(1);
    expect(await entriesAbout(mongo, refunds[0]?._id)).toHaveLength(1);
    expect((await ground.read(payment._id)).refunds).toEqual({ pending: 2_500, count: 1 });
  });

  it('refuses the key of one form with the amount of another', async () => {
    const payment = await paid();
    const fields = await draft(payment, '2500');
    await post(payment, fields);
    const reply = await post(payment, { ...fields, minor: '2600' });
    expect(reply.status).toBe(422);
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('lets one of two people win who saw the same amount', async () => {
    const payment = await paid();
    const forms = [await draft(payment, '10000'), await draft(payment, '10000')];
    const replies = await Promise.all(forms.map(async (fields) => post(payment, fields)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303, 422]));
    const refused = replies.find(({ status }) => status === 422);
    expect(refused?.html).toContain('The refundable amount has changed meanwhile.');
    expect(refused?.html).toMatch(/<input [^>]*value="2500"[^>]*id="amount"/);
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('refuses more than what remains, whatever the form says', async () => {
    const payment = await paid();
    const fields = { ...(await draft(payment, '1')), minor: '12501' };
    const reply = await post(payment, fields);
    expect(reply.status).toBe(422);
    expect(reply.html).toContain('The amount is larger than what can be refunded.');
    expect(await refundsOf(payment)).toEqual([]);
  });

  it.each([
    ['a key of its own', { key: 'order-1' }],
    ['no key', { key: '' }],
    ['an amount that is no number', { minor: '-1' }],
    ['a reason of its own', { reason: 'because' }],
  ])('responds with 400 to %s', async (_, changed) => {
    const payment = await paid();
    const fields = { ...(await draft(payment, '1')), ...changed };
    expect((await post(payment, fields)).status).toBe(400);
    expect(await refundsOf(payment)).toEqual([]);
  });

  it('asks for the password again, and keeps the form while it is wrong', async () => {
    const payment = await paid();
    const old = new Date(Date.now() - 60 * 60 * 1_000);
    await mongo.sessions.updateMany({ user_id: support.user._id }, { $set: { confirmed_at: old } });
    const fields = await draft(payment, '2500');
    const refused = await post(payment, { ...fields, password: 'wrong' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="password-error"');
    expect(hiddenIn(refused.html)).toEqual(fields);
    expect(await refundsOf(payment)).toEqual([]);
    expect((await post(payment, { ...fields, password: PASSWORD })).status).toBe(303);
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('is refused to developers and to those who only read', async () => {
    const payment = await paid();
    const fields = await draft(payment, '1');
    for (const role of ['developer', 'read_only'] as const) {
      const browser = await ground.signIn(role);
      expect((await browser.post(`/payments/${payment._id}/refund`, fields)).status).toBe(403);
    }
    expect(await refundsOf(payment)).toEqual([]);
  });
});
