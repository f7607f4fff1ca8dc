import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readClients } from '../../docs/clients.ts';
import { VERSION } from '../../version.ts';
import { PAYMENT, openStand, putPayment, serveApi } from '../api/harness.ts';
import { closeAfterTests } from '../support/close.ts';
import { testServers } from '../support/run.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { DECIMAL, LANGUAGES, hasRuntime, openDriver, titleOf } from './driver.ts';
import type { Driver, Outcome, Settings } from './driver.ts';
import { openProxy } from './proxy.ts';
import { makeFiles } from './reference.ts';

const stand = await openStand('clients');
const proxy = closeAfterTests(await openProxy(stand.api.url));
const REDIRECT = { status: 302, headers: { location: 'http://127.0.0.1:1/' } };
const UNKNOWN = { id: 'pay_1', object: 'payment', status: 'created', amount: 1, of_2030: [{}] };

const settings: Settings = {
  apiKey: stand.tenant.secret,
  baseUrl: `http://127.0.0.1:${proxy.port}`,
  timeoutMs: 30_000,
  maxRetries: 2,
};

const params = (more: object = {}) => ({ ...PAYMENT, ...more });
const paid = async () => (await putPayment(stand, { status: 'completed' }))._id;

for (const language of LANGUAGES)
  describe.skipIf(!hasRuntime(language))(titleOf(language), () => {
    let driver: Driver;
    let sentBefore: number;
    beforeAll(() => {
      driver = openDriver(language);
    });
    afterAll(async () => driver?.close());
    beforeEach(() => {
      proxy.respondFirst();
      sentBefore = proxy.requests.length;
    });

    const sent = () => proxy.requests.slice(sentBefore);
    const call = async (name: string, ...args: readonly unknown[]): Promise<Outcome> =>
      driver.make({ name, args, settings });
    const callWith = async (more: Partial<Settings>, name: string, ...args: readonly unknown[]) =>
      driver.make({ name, args, settings: { ...settings, ...more } });
    const create = async (key: string, more: object = {}): Promise<Outcome> =>
      driver.make({ name: 'payments.create', args: [params(more)], key, settings });

    it('creates a payment once for each key', async () => {
      const key = `${language}-once`;
      const first = await create(key, { order_id: key, metadata: { a: 'Ա', b: '"' } });
      expect(first.value).toMatchObject({ status: 'created', amount: 12_500, order_id: key });
      const again = await create(key, { order_id: key, metadata: { a: 'Ա', b: '"' } });
      expect(again.value).toEqual(first.value);
      const retrieved = await call('payments.retrieve', first.value.id);
      expect(retrieved.value.metadata).toEqual({ a: 'Ա', b: '"' });
    });

    it('reports an error with its fields', async () => {
      const key = `${language}-other`;
      await create(key);
      const { error } = await create(key, { amount: 990 });
      expect(error).toMatchObject({ name: 'TollgateApiError', status: 422, param: 'amount' });
      expect(error).toMatchObject({
        code: 'idempotency_key_reused',
        idempotency_key: key,
      });
      expect(error?.['message']).toMatch(/amount/);
      expect(error?.['request_id']).toMatch(/^req_\w{26}$/);
      expect(sent()).toHaveLength(2);
      const missing = await call('payments.retrieve', 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAV');
      expect(missing.error).toMatchObject({ status: 404, code: 'resource_missing', param: null });
      expect(JSON.stringify([error, missing])).not.toContain(stand.tenant.secret);
    });

    it('iterates over every page, in both directions, and filters', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.unshift((await putPayment(stand, { order_id: `${language}-pages` }))._id);
      }
      const filter = { order_id: `${language}-pages`, status: ['created', 'failed'], limit: 2 };
      expect((await call('payments.list', filter)).value).toEqual(ids);
      expect(sent().map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
      const forward = { ...filter, ending_before: ids[4] };
      expect((await call('payments.list', forward)).value).toEqual(ids.slice(0, 4).toReversed());
      const none = { ...filter, created_at: { lt: '2020-01-01T00:00:00Z' } };
      expect((await call('payments.list', none)).value).toEqual([]);
    });

    it('refunds a half, and finds the refund and its event', async () => {
      const id = await paid();
      const args = [{ payment_id: id, amount: 6250 }];
      const make = async () =>
        driver.make({ name: 'refunds.create', args, key: `${language}-half`, settings });
      const { value: refund } = await make();
      expect(refund).toMatchObject({ object: 'refund', amount: 6250, status: 'pending' });
      expect((await make()).value.id).toBe(refund.id);
      expect((await call('payments.retrieve', id)).value.amount_refundable).toBe(6250);
      expect((await call('refunds.list', { payment_id: id })).value).toEqual([refund.id]);
      expect((await call('refunds.retrieve', refund.id)).value.id).toBe(refund.id);
      const { value: events } = await call('events.list', { payment_id: id });
      const { value: event } = await call('events.retrieve', events[0]);
      expect([events.length, event.type, event.data.object.id]).toEqual([
        1,
        'refund.created',
        refund.id,
      ]);
    });

    it('cancels a payment, and decides a test payment', async () => {
      const { value: payment } = await create(`${language}-cancel`);
      expect((await call('payments.cancel', payment.id)).value.status).toBe('canceled');
      const { value: other } = await create(`${language}-approve`);
      expect((await call('test.outcome', other.id, 'approve')).value.status).toBe('completed');
      const { error } = await call('payments.cancel', other.id);
      expect(error).toMatchObject({ status: 409, code: 'payment_state_invalid' });
    });

    it('retries a 503 with the same key, so that there is one payment', async () => {
      proxy.respondFirst({ status: 503 });
      const { value } = await call('payments.create', params({ order_id: `${language}-retried` }));
      const keys = sent().map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
      const { value: ids } = await call('payments.list', { order_id: `${language}-retried` });
      expect(ids).toEqual([value.id]);
    });

    it('gives up after its retries, and does not wait longer than a minute', async () => {
      proxy.respondFirst('reset', 'reset');
      const lost = await callWith({ maxRetries: 1 }, 'payments.create', params());
      expect(lost.error).toMatchObject({ name: 'TollgateConnectionError', retryable: true });
      expect(lost.error?.['idempotency_key']).toBe(sent()[0]?.headers['idempotency-key']);
      proxy.respondFirst({ status: 429, headers: { 'retry-after': '61' } });
      const { error } = await call('payments.retrieve', 'pay_1');
      expect(error).toMatchObject({ status: 429, code: 'unknown' });
      proxy.respondFirst('silence');
      const late = await callWith({ timeoutMs: 100, maxRetries: 0 }, 'payments.retrieve', 'pay_1');
      expect(late.error?.['name']).toBe('TollgateConnectionError');
      expect(sent()).toHaveLength(4);
    });

    it('follows no redirect, and accepts no page of another program', async () => {
      proxy.respondFirst(
        REDIRECT,
        { status: 200, body: '<html>' },
        { status: 502, body: '{"error":{"code":502}}' },
      );
      const { error } = await call('payments.retrieve', 'pay_1');
      expect(error).toMatchObject({ name: 'TollgateApiError', status: 302, code: 'unknown' });
      const page = await call('payments.retrieve', 'pay_1');
      expect(page.error).toMatchObject({ name: 'TollgateConnectionError', retryable: false });
      const fault = await callWith({ maxRetries: 0 }, 'payments.retrieve', 'pay_1');
      expect(fault.error).toMatchObject({ status: 502, code: 'unknown' });
      expect(sent()).toHaveLength(3);
    });

    // JavaScript has no such number.
    const inDecimals = language === 'TypeScript' ? [] : [DECIMAL];
    it.each(inDecimals)('does not send the price %s as 19', async (amount) => {
      const { error } = await create(`${language}-price`, { amount });
      expect(error).toMatchObject({ status: 400, code: 'parameter_invalid', param: 'amount' });
    });

    it('keeps fields that it does not know', async () => {
      proxy.respondFirst({ status: 200, body: JSON.stringify(UNKNOWN) });
      expect((await call('payments.retrieve', 'pay_1')).value.of_2030).toHaveLength(1);
    });

    it('sends nothing for a mistake in the call, and never shows the key', async () => {
      const mistakes = [
        await callWith({ apiKey: `${settings.apiKey}\n` }, 'payments.retrieve', 'pay_1'),
        await callWith({ baseUrl: `${settings.baseUrl}/v1` }, 'payments.retrieve', 'pay_1'),
        await call('payments.retrieve', ''),
        await call('payments.cancel', '..'),
        await create('two\r\nlines'),
      ];
      expect(mistakes.map(({ error }) => error?.['name'])).toEqual(
        mistakes.map(() => 'TollgateUsageError'),
      );
      expect(JSON.stringify(mistakes)).not.toContain(settings.apiKey);
      expect(sent()).toEqual([]);
    });

    it('reconciles, with each id once', async () => {
      const settled = await paid();
      const open = (await putPayment(stand))._id;
      const missing = 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAV';
      const { value } = await call('payments.reconcile', [settled, open, missing, '', settled]);
      expect(value).toEqual([[settled], [open], [missing], ['']]);
      expect(sent()).toHaveLength(3);
    });
  });

describe('the clients', () => {
  it('wait as long as Retry-After asks, and then retry', async () => {
    const timesOf = (asked: string) =>
      proxy.requests.filter(({ path: own }) => own === asked).map(({ at }) => at);
    proxy.respond = async (_, { path: asked }) =>
      timesOf(asked).length === 1
        ? { status: 429, headers: { 'retry-after': '1' } }
        : { status: 200, body: JSON.stringify(UNKNOWN) };
    const waits = LANGUAGES.filter(hasRuntime).map(async (language) => {
      const driver = openDriver(language);
      const { error } = await driver.make({
        name: 'payments.retrieve',
        args: [language],
        settings,
      });
      await driver.close();
      const [first = 0, second = 0] = timesOf(`/v1/payments/${language}`);
      expect(error).toBeUndefined();
      return second - first;
    });
    expect(Math.min(...(await Promise.all(waits)))).toBeGreaterThanOrEqual(1000);
  });
});

const files = readClients();

describe.each(Object.keys(files))('%s', (address) => {
  const own = readFileSync(path.join(PROJECT, address));

  it('has the version of the service', () => {
    expect(/VERSION = ['"](.+)['"]/.exec(String(own))?.[1]).toBe(VERSION);
  });

  it('is served as text to everyone, and is a part of the build', async () => {
    const api = await serveApi({ secret: '' }, { ...stand, docs: makeFiles() });
    const response = await fetch(api.url + address);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(Buffer.from(await response.arrayBuffer()).equals(own)).toBe(true);
    await api.close();
    expect(readFileSync(path.join(testServers().programs, address)).equals(own)).toBe(true);
  });
});
