import { describe, expect, it } from 'vitest';
import { ROLES, may } from '../../../domain/user.ts';
import { tenantOf } from '../../../domain/merchant.ts';
import { mintId } from '../../../store/mint.ts';
import { idAt } from '../../support/history.ts';
import { makeDelivery, makeEndpoint } from '../../support/rows/endpoint.ts';
import { makeEventAbout } from '../../support/rows/event.ts';
import { makeAttempt, makePayment, makeTransfer } from '../../support/rows/payment.ts';
import { makeRefund } from '../../support/rows/refund.ts';
import { openGround } from '../harness.ts';
import { download, rowsOf } from './download.ts';

const ground = await openGround('dashboard-exports');
const { mongo, tenant: m } = ground;
const DAY = Date.parse('2026-03-10T00:00:00.000Z');
const owner = await ground.signIn('owner');
const other = tenantOf(await ground.addMerchant(), 'test');

const attempt = {
  number: 1,
  at: new Date(DAY),
  duration_ms: 42,
  status: 500,
  error: 'status',
} as const;
const payment = makePayment({
  _id: idAt('payment', DAY),
  m,
  created_at: new Date(DAY),
  status: 'completed',
  amount: 1_999,
  amount_refunded: 99,
  currency: 'USD',
  order_id: 'order-7',
  metadata: { cart: 'a,"b"' },
  attempts: [makeAttempt({ status: 'approved' })],
});
const attempts = [makeTransfer({ status: 'turned_back' })];
const older = makePayment({ _id: idAt('payment', DAY - 1), m, order_id: 'order-8', attempts });
const foreign = makePayment({ _id: idAt('payment', DAY), m: other });
const refund = makeRefund({ m, payment_id: payment._id, amount: 99, currency: 'USD' });
const endpoint = makeEndpoint({ m, url: 'https://shop.example/hook?token=t0ken' });
const alien = makeEndpoint({ m: other });
const event = makeEventAbout(payment, 'payment.completed');
const delivery = makeDelivery({
  m,
  endpoint_id: endpoint._id,
  event_id: event._id,
  state: 'failed',
  next_attempt_at: null,
  attempts: [
    { ...attempt, request: { url: 'https://secret.example', headers: [] }, response: null },
  ],
});
await mongo.payments.insertMany([payment, older, foreign]);
await mongo.refunds.insertMany([refund, makeRefund({ m: other, payment_id: foreign._id })]);
await mongo.endpoints.insertMany([endpoint, alien]);
await mongo.events.insertOne(event);
await mongo.deliveries.insertOne(delivery);

const idsIn = async (path: string): Promise<string[]> => {
  const { status, lines } = await download(ground, owner, path);
  expect(status).toBe(200);
  return rowsOf(lines).map(({ id }) => id!);
};

describe('GET /exports/payments.csv', () => {
  it('has the fields of a payment in the order of the columns', async () => {
    const { headers, lines } = await download(ground, owner, '/exports/payments.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const day = new Date().toISOString().slice(0, 10);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="payments-${day}.csv"`);
    expect(Object.entries(rowsOf(lines)[0]!)).toEqual([
      ['id', payment._id],
      ['status', 'completed'],
      ['amount', '19.99'],
      ['amount_minor', '1999'],
      ['currency', 'USD'],
      ['amount_refunded', '0.99'],
      ['amount_refunded_minor', '99'],
      ['order_id', 'order-7'],
      ['description', 'Two tickets'],
      ['card_brand', 'visa'],
      ['card_last4', '4242'],
      ['attempts_count', '1'],
      ['failure_code', ''],
      ['metadata', '{"cart":"a,\\"b\\""}'],
      ['created_at', '2026-03-10T00:00:00.000Z'],
      ['updated_at', '2026-03-10T00:00:00.000Z'],
      ['expires_at', '2026-03-10T00:30:00.000Z'],
      ['completed_at', '2026-03-10T00:00:00.000Z'],
      ['failed_at', ''],
      ['canceled_at', ''],
      ['expired_at', ''],
      ['payment_method', 'card'],
      ['transfer_reference', ''],
    ]);
    const transfer = { payment_method: 'bank_transfer', transfer_reference: 'TG-7K3M-9P2A' };
    expect(rowsOf(lines)[1]).toMatchObject({ ...transfer, card_brand: '', card_last4: '' });
  });

  it.each([
    ['', [payment, older]],
    ['?status=created', [older]],
    ['?status=', [payment, older]],
    ['?order_id=order-7', [payment]],
    ['?from=2026-03-10', [payment]],
    ['?to=2026-03-09', [older]],
    ['?from=2026-03-09&to=2026-03-10', [payment, older]],
    ['?from=2026-03-11', []],
    ['?order_id=order-7&status=created', []],
  ])('has the payments that the filters match, newest first: %s', async (query, expected) => {
    const ids = expected.map(({ _id }) => _id);
    expect(await idsIn(`/exports/payments.csv${query}`)).toEqual(ids);
  });

  it.each(['status=paid', 'from=yesterday', 'to=2026-02-30', 'from=2026-03-10T00:00'])(
    'shows the form again if a filter is malformed: %s',
    async (query) => {
      const reply = await owner.get(`/exports/payments.csv?${query}`);
      expect(reply.status).toBe(422);
      const param = query.split('=')[0]!;
      expect(reply.html).toContain(`<a href="#${param}">`);
      expect(reply.html.split(` id="${param}"`)).toHaveLength(2);
    },
  );
});

describe('GET /exports/refunds.csv', () => {
  it('has the fields of a refund in the order of the columns', async () => {
    const path = `/exports/refunds.csv?payment_id=${payment._id}&status=pending`;
    const { lines } = await download(ground, owner, path);
    const created = refund.created_at.toISOString();
    expect(rowsOf(lines).map((row) => Object.values(row))).toEqual([
      // oxfmt-ignore
      [
        refund._id,
        payment._id,
        'pending',
        '0.99',
        '99',
        'USD',
        '',
        '',
        '',
        'api',
        '',
        created,
        created,
        '',
      ],
    ]);
  });

  it.each([foreign._id, mintId('payment'), 'pay_1', '%00'])(
    'returns 404 for a payment that the merchant does not have: %s',
    async (id) => {
      const reply = await owner.get(`/exports/refunds.csv?payment_id=${id}`);
      expect([reply.status, reply.html.includes(foreign._id)]).toEqual([404, false]);
    },
  );
});

describe('GET /exports/deliveries.csv', () => {
  it('has the last attempt, without its request and response', async () => {
    const path = `/exports/deliveries.csv?endpoint=${endpoint._id}&status=failed`;
    const { lines, bytes } = await download(ground, owner, path);
    expect(rowsOf(lines)).toEqual([
      {
        id: delivery._id,
        endpoint_id: endpoint._id,
        event_id: event._id,
        event_type: 'payment.completed',
        payment_id: payment._id,
        state: 'failed',
        trigger: 'automatic',
        attempts_count: '1',
        last_attempt_at: '2026-03-10T00:00:00.000Z',
        last_status: '500',
        last_error: 'status',
        last_duration_ms: '42',
        next_attempt_at: '',
        created_at: delivery.created_at.toISOString(),
      },
    ]);
    expect(new TextDecoder().decode(bytes)).not.toContain('secret.example');
  });

  it.each([alien._id, mintId('endpoint'), '', 'we_1'])(
    'returns 404 for an endpoint that the merchant does not have: "%s"',
    async (id) => {
      expect((await owner.get(`/exports/deliveries.csv?endpoint=${id}`)).status).toBe(404);
    },
  );
});

describe('the roles', () => {
  it.each(ROLES)('download what they may see: %s', async (role) => {
    const browser = await ground.signIn(role);
    const page = await browser.get('/exports');
    expect(page.html).toContain('id="export-payments"');
    const seesDeliveries = may(role, 'deliveries.read');
    expect(page.html.includes('id="export-deliveries"')).toBe(seesDeliveries);
    const path = `/exports/deliveries.csv?endpoint=${endpoint._id}`;
    expect((await browser.get(path)).status).toBe(seesDeliveries ? 200 : 403);
    const count = await browser.get(`/exports?kind=deliveries&endpoint=${endpoint._id}`);
    expect(count.status).toBe(seesDeliveries ? 200 : 403);
    expect((await browser.get('/exports/refunds.csv')).status).toBe(200);
  });

  it('send strangers to the sign-in page', async () => {
    expect((await ground.browse().get('/exports/payments.csv')).status).toBe(303);
  });
});

describe('GET /exports', () => {
  it.each([
    ['payments', '', '2 rows'],
    ['payments', 'status=completed', '1 row'],
    ['refunds', `payment_id=${payment._id}`, '1 row'],
    ['refunds', 'status=failed', '0 rows'],
    ['deliveries', `endpoint=${endpoint._id}`, '1 row'],
  ])('counts the rows of an export, and keeps its filters: %s %s', async (kind, query, text) => {
    const { status, html } = await owner.get(`/exports?kind=${kind}&${query}`);
    expect(status).toBe(200);
    expect(html).toContain(`<p class="notice" role="status">${text}</p>`);
    const value = query.split('=')[1] ?? '';
    if (value !== '') expect(html).toContain(`value="${value}"`);
    // The query of a receiver's address may have a token.
    expect(html).toContain('https://shop.example/hook?...');
    expect(html).not.toContain('t0ken');
  });

  it('returns 404 for a payment that the merchant does not have', async () => {
    const reply = await owner.get(`/exports?kind=refunds&payment_id=${foreign._id}`);
    expect(reply.status).toBe(404);
  });

  it.each(['en', 'hy', 'ru'] as const)('is shown in every language: %s', async (locale) => {
    await owner.post('/account/language', { locale });
    const { html } = await owner.get('/exports?kind=payments');
    expect(html).toContain(`<html lang="${locale}"`);
    expect(html).not.toMatch(/exports\.\w+/);
    await owner.post('/account/language', { locale: 'en' });
  });
});
