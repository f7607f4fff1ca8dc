import { describe, expect, it } from 'vitest';
import { makeRequestLog } from '../../../api/requestlog.ts';
import { ROLES, may } from '../../../domain/user.ts';
import { mintId } from '../../../store/mint.ts';
import { makeDelivery, makeEvent } from '../../support/rows/endpoint.ts';
import { makeAttempt, makePayment } from '../../support/rows/payment.ts';
import { openGround } from '../harness.ts';

const ground = await openGround('dashboard-developers');
const { mongo, tenant, merchant, temporal } = ground;
const developer = await ground.signIn('developer');

const stranger = tenant.replace(merchant._id, mintId('merchant'));

/** Logs a request of a tenant, as the API does. Returns its id. */
async function putRequest(over: object = {}): Promise<string> {
  const requestLog = makeRequestLog({ mongo, log: { warn: () => undefined } });
  const _id = mintId('request');
  requestLog.note({
    _id,
    m: tenant,
    at: new Date(),
    method: 'POST',
    path: '/v1/payments',
    status: 201,
    error: null,
    key_id: mintId('key'),
    duration_ms: 12,
    body: '{"amount":12500}',
    object_id: null,
    ...over,
  });
  await requestLog.flush();
  return _id;
}

async function putPayment(over: Parameters<typeof makePayment>[0] = {}) {
  const payment = makePayment({ m: tenant, merchant_id: merchant._id, ...over });
  await mongo.payments.insertOne(payment);
  return payment;
}

/** Stores a payment whose webhook waits for its next attempt. Returns both, and the event. */
async function putWaiting() {
  const payment = await putPayment({ status: 'completed' });
  const event = makeEvent({ m: tenant, payment_id: payment._id, type: 'payment.completed' });
  const next_attempt_at = new Date(Date.now() + 3_600_000);
  const ids = { m: tenant, endpoint_id: mintId('endpoint'), event_id: event._id };
  const delivery = makeDelivery({ ...ids, next_attempt_at });
  await mongo.events.insertOne(event);
  await mongo.deliveries.insertOne(delivery);
  return { payment, event, delivery };
}

/** Returns the steps that the payment's page has a button for. */
async function stepsOf(id: string): Promise<(string | undefined)[]> {
  const { html } = await developer.get(`/developers/payments/${id}`);
  return [...html.matchAll(/name="to" value="(\w+)"/g)].map(([, to]) => to);
}

const refused = { code: 'amount_too_small', message: 'The amount is <b>too small</b>.' };

describe('the developers’ pages', () => {
  it.each(ROLES)('are shown to the %s only with the permission', async (role) => {
    const browser = await ground.signIn(role);
    const status = may(role, 'developers.read') ? 200 : 403;
    const paths = ['/developers/requests', '/developers/events', '/developers/payments'];
    for (const path of paths) expect((await browser.get(path)).status).toBe(status);
    const home = await browser.get('/account');
    expect(home.html.includes('href="/developers"')).toBe(status === 200);
  });

  it.each([
    ['/developers/requests/', 'request'],
    ['/developers/events/', 'event'],
    ['/developers/payments/', 'payment'],
  ] as const)('have no page at %s for an unknown or malformed id', async (path, kind) => {
    for (const id of [mintId(kind), 'x', '%00', mintId('merchant')]) {
      expect((await developer.get(path + id)).status).toBe(404);
    }
  });

  it.each(['/developers/requests', '/developers/events'])(
    'refuse a malformed cursor at %s',
    async (path) => {
      expect((await developer.get(`${path}?after=x`)).status).toBe(404);
    },
  );

  it('show nothing of another merchant', async () => {
    const request = await putRequest({ m: stranger, path: '/v1/refunds' });
    const event = makeEvent({ m: stranger });
    const payment = await putPayment({ m: stranger });
    await mongo.events.insertOne(event);
    for (const path of [
      `/developers/requests/${request}`,
      `/developers/events/${event._id}`,
      `/developers/payments/${payment._id}`,
    ]) {
      expect((await developer.get(path)).status).toBe(404);
    }
    const lists = ['/developers/requests', '/developers/events', '/developers/payments'];
    for (const path of lists) {
      const { html } = await developer.get(path);
      expect(html).not.toMatch(new RegExp(`${request}|${event._id}|${payment._id}`));
    }
    const action = `/developers/payments/${payment._id}/advance`;
    expect((await developer.post(action, { to: 'expiry' })).status).toBe(404);
    expect(await mongo.payments.findOne({ _id: payment._id })).toEqual(payment);
  });
});

describe('the request log', () => {
  it('is filtered by status and by path', async () => {
    const path = `/v1/payments/${mintId('payment')}/cancel`;
    const [good, bad] = [await putRequest(), await putRequest({ status: 400, error: refused })];
    const cancel = await putRequest({ path, status: 409, error: refused });
    const shown = async (query: string) => {
      const { html } = await developer.get(`/developers/requests?${query}`);
      return [good, bad, cancel].filter((id) => html.includes(`/developers/requests/${id}`));
    };
    expect(await shown('')).toEqual([good, bad, cancel]);
    expect(await shown('status=4xx')).toEqual([bad, cancel]);
    expect(await shown('status=2xx&path=%2Fv1%2Fpayments')).toEqual([good]);
    expect(await shown(`path=${encodeURIComponent(path)}`)).toEqual([cancel]);
    expect(await shown(`status=5xx&path=${encodeURIComponent(path)}`)).toEqual([]);
    expect(await shown('status[$ne]=x')).toEqual([good, bad, cancel]);
  });

  it('leads from a Request-Id to its page, with the payment that it created', async () => {
    const payment = mintId('payment');
    const id = await putRequest({ object_id: payment });
    const { to } = await developer.get(`/developers/requests?id=${id}`);
    expect(to).toBe(`/developers/requests/${id}`);
    const { html } = await developer.get(to!);
    expect(html).toContain(`href="/payments/${payment}"`);
    expect(html).toContain('&quot;amount&quot;: 12500');
  });

  it('shows an error with a link to its documentation, and escapes texts', async () => {
    const id = await putRequest({ status: 400, error: refused, body: '{"a":"<script>"}' });
    const { html } = await developer.get(`/developers/requests/${id}`);
    expect(html).toContain('href="https://api.example/docs#amount_too_small"');
    expect(html).toContain('&lt;b>too small');
    expect(html).not.toMatch(/<b>|"<script>/);
  });

  it('has pages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 51; n += 1) {
      ids.push(await putRequest({ path: '/v1/currencies', method: 'GET', body: null }));
    }
    const first = await developer.get('/developers/requests?path=%2Fv1%2Fcurrencies');
    const [, older = ''] = /href="(\/developers\/requests\?[^"]*after=[^"]*)"/.exec(first.html)!;
    const second = await developer.get(older.replaceAll('&amp;', '&'));
    const oldest = `/developers/requests/${ids[0]}`;
    expect(first.html).not.toContain(oldest);
    expect(second.html).toContain(oldest);
    expect(second.html).not.toContain(`/developers/requests/${ids[1]}`);
  });
});

describe('the events', () => {
  it('are listed by type', async () => {
    const { event } = await putWaiting();
    const other = makeEvent({ m: tenant, type: 'payment.expired' });
    await mongo.events.insertOne(other);
    const { html } = await developer.get('/developers/events?type=payment.completed');
    expect(html).toContain(`/developers/events/${event._id}`);
    expect(html).not.toContain(`/developers/events/${other._id}`);
  });

  it('are shown with their exact JSON and their deliveries', async () => {
    const { event, delivery } = await putWaiting();
    const { html } = await developer.get(`/developers/events/${event._id}`);
    const [, copied = ''] = /data-copy="(\{[^"]*)"/.exec(html)!;
    const exact = copied.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
    expect(exact).toBe(event.body);
    expect(html).toContain(`href="/deliveries/${delivery._id}"`);
  });
});

describe('the time machine', () => {
  it('has a button for each step that lies ahead, and for no other', async () => {
    const atBank = { status: 'processing', attempts: [makeAttempt()] } as const;
    expect(await stepsOf((await putPayment())._id)).toEqual(['expiry']);
    const leaving = await putPayment({ ...atBank, attempts: [makeAttempt()] });
    expect(await stepsOf(leaving._id)).toEqual(['expiry', 'bank_answer']);
    expect(await stepsOf((await putPayment({ status: 'canceled' }))._id)).toEqual([]);
    expect(await stepsOf((await putWaiting()).payment._id)).toEqual(['next_webhook_attempt']);
  });

  it('expires a payment, and records who asked for it', async () => {
    const { _id } = await putPayment();
    const { html } = await developer.get(`/developers/payments/${_id}`);
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(html)!;
    const path = `/developers/payments/${_id}/advance`;
    const done = `/developers/payments/${_id}?done=advanced`;
    for (let press = 0; press < 2; press += 1) {
      expect((await developer.post(path, { to: 'expiry', key })).to).toBe(done);
    }
    expect(await mongo.payments.findOne({ _id })).toMatchObject({ status: 'expired' });
    const entries = await mongo.auditEntries.find({ 'object.id': _id }).toArray();
    expect(entries).toMatchObject([
      { action: 'payment.advance', actor: { name: developer.user._id }, after: { to: 'expiry' } },
    ]);
  });

  it('sends a waiting webhook once for a button that is pressed twice', async () => {
    const { payment, delivery } = await putWaiting();
    const { html } = await developer.get(`/developers/payments/${payment._id}`);
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(html)!;
    const path = `/developers/payments/${payment._id}/advance`;
    for (let press = 0; press < 2; press += 1) {
      await developer.post(path, { to: 'next_webhook_attempt', key });
    }
    expect(temporal.hastened.filter((id) => id === delivery._id)).toHaveLength(1);
  });

  it('shows the reason if nothing lies ahead, or the time is unknown', async () => {
    const { _id } = await putPayment({ status: 'completed' });
    const path = `/developers/payments/${_id}/advance`;
    for (const to of ['expiry', 'bank_answer', 'next_webhook_attempt', 'tomorrow', '']) {
      const { status, html } = await developer.post(path, { to });
      expect(status).toBe(422);
      expect(html).toContain('role="alert"');
    }
  });

  it('is refused to users without the permission', async () => {
    const { _id } = await putPayment();
    const support = await ground.signIn('support');
    const path = `/developers/payments/${_id}/advance`;
    expect((await support.post(path, { to: 'expiry' })).status).toBe(403);
    expect(await mongo.payments.findOne({ _id })).toMatchObject({ status: 'created' });
  });
});
