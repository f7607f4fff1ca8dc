/** Responses to a merchant while the database changes its primary, over real HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { WORK_MS } from '../../api/routes.ts';
import type { Payment } from '../../domain/payment.ts';
import { openMongo } from '../../store/mongo.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { failing, failingLate, openWire, unconfirmed } from '../support/servers/wire.ts';
import type { Rule } from '../support/servers/wire.ts';
import { PAYMENT, makeTenant, putPayment, recordingTemporal, serveApi } from './harness.ts';
import { openDatabase } from '../support/mongo.ts';
import { untilAccepted } from '../support/retry.ts';
import type { Reply } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const mongo = closeAfterTests(await openDatabase('elections'));
const tenant = await makeTenant(mongo);
const uri = withDatabase(process.env['TEST_MONGODB_URI'] ?? '', mongo.db.databaseName);
const wire = closeAfterTests(await openWire(uri));
/** The API's own connection, which goes through the proxy. */
const wired = closeAfterTests(await openMongo({ uri: wire.uri }));
const parts = { mongo: wired, temporal: recordingTemporal(wired) };
const api = closeAfterTests(await serveApi(tenant, parts));
/** An API that retries no longer than the service does. */
const brief = closeAfterTests(await serveApi(tenant, { ...parts, workMs: WORK_MS }));
beforeEach(() => {
  wire.setRules();
  wire.seen.length = 0;
});

let keys = 0;
const freshKey = (): string => `key-${(keys += 1)}`;
const put = async (overrides: Partial<Payment> = {}) => putPayment({ mongo, tenant }, overrides);
const create = async (key: string) => api.send('POST', '/v1/payments', { body: PAYMENT, key });
const refund = async ({ _id }: Payment, key: string, to = api) =>
  to.send('POST', '/v1/refunds', { body: { payment_id: _id }, key });
const cancel = async ({ _id }: Payment, key: string) =>
  api.send('POST', `/v1/payments/${_id}/cancel`, { body: {}, key });

function expectUnavailable(reply: Reply): void {
  expect([reply.status, reply.json.error]).toMatchObject([
    503,
    { type: 'api', code: 'unavailable', message: expect.stringContaining('the same key') },
  ]);
  expect(reply.headers.get('retry-after')).toBe('1');
}

/** Each call with one of its commands, and the collection of the command. */
const CALLS: readonly (readonly [string, Rule['commands'] & {}, string, () => Promise<Reply>])[] = [
  ['any call', ['find'], 'api_keys', async () => api.send('GET', '/v1/payments')],
  ['GET /v1/payments', ['find'], 'payments', async () => api.send('GET', '/v1/payments')],
  [
    'GET /v1/payments/{id}',
    ['find'],
    'payments',
    async () => api.send('GET', `/v1/payments/${(await put())._id}`),
  ],
  ['GET /v1/events', ['find'], 'events', async () => api.send('GET', '/v1/events')],
  [
    'GET /v1/webhook-endpoints',
    ['find'],
    'webhook_endpoints',
    async () => api.send('GET', '/v1/webhook-endpoints'),
  ],
  ['POST /v1/payments', ['find'], 'merchants', async () => create(freshKey())],
  ['POST /v1/payments', ['insert'], 'payments', async () => create(freshKey())],
  [
    'POST /v1/refunds',
    ['insert'],
    'refunds',
    async () => refund(await put({ status: 'completed' }), freshKey()),
  ],
  [
    'POST /v1/payments/{id}/cancel',
    ['insert'],
    'requests',
    async () => cancel(await put(), freshKey()),
  ],
];

describe.each([
  [10_107, 'NotWritablePrimary'],
  [11_602, 'InterruptedDueToReplStateChange'],
  [189, 'PrimarySteppedDown'],
  [91, 'ShutdownInProgress'],
  [13_436, 'NotPrimaryOrSecondary'],
  [64, 'WriteConcernTimeout'],
  [262, 'ExceededTimeLimit'],
])('while the database returns %i %s', (code, name) => {
  it.each(CALLS)('%s gets 503 (%p of %s), and works afterwards', async (_, ...rest) => {
    const [commands, collection, call] = rest;
    wire.setRules({ commands, collection, reply: failing(code, name) });
    expectUnavailable(await call());
    wire.setRules();
    expect((await untilAccepted(call)).status).toBeLessThan(300);
  });
});

describe('a fault that stays', () => {
  it.each([
    [121, 'DocumentValidationFailure'],
    [2, 'BadValue'],
    [79, 'UnknownReplWriteConcern'],
  ])('(%i %s) gets 500', async (code, name) => {
    wire.setRules({ commands: ['insert'], collection: 'payments', reply: failing(code, name) });
    const { status, json } = await create(freshKey());
    expect([status, json.error.code]).toEqual([500, 'internal_error']);
  });
});

/** A retry with the same key gets the response that the first request would have got. */
async function expectOneEffect(first: Reply, retry: () => Promise<Reply>): Promise<Reply> {
  expectUnavailable(first);
  wire.setRules();
  const second = await retry();
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect((await retry()).text).toBe(second.text);
  return second;
}

describe('a retry with the same key has one effect after a 503:', () => {
  it.each([
    ['the response was lost', failingLate(11_602, 'InterruptedDueToReplStateChange')],
    ['no majority confirmed it', unconfirmed(64, 'WriteConcernTimeout')],
    ['the primary stepped down', unconfirmed(189, 'PrimarySteppedDown')],
  ])('a payment, when %s', async (_, reply) => {
    wire.setRules({ commands: ['insert'], collection: 'payments', reply });
    const key = freshKey();
    await expectOneEffect(await create(key), async () => create(key));
    expect(await mongo.payments.countDocuments({ m: tenant.m, 'idem.k': key })).toBe(1);
  });

  it.each([
    ['the response was lost', failingLate(11_602, 'InterruptedDueToReplStateChange')],
    ['the server was busy', failingLate(50, 'MaxTimeMSExpired')],
  ])('a refund, when %s', async (_, reply) => {
    const payment = await put({ status: 'completed' });
    wire.setRules({ commands: ['commitTransaction'], reply });
    const key = freshKey();
    await expectOneEffect(await refund(payment, key), async () => refund(payment, key));
    expect(await mongo.refunds.countDocuments({ payment_id: payment._id })).toBe(1);
    const after = await mongo.payments.findOne({ _id: payment._id });
    expect(after?.refunds).toEqual({ pending: payment.amount, count: 1 });
  });

  it('a refund that no majority confirms while the client waits', async () => {
    const payment = await put({ status: 'completed' });
    const confirm = unconfirmed(64, 'WriteConcernTimeout');
    const reply = async (real: Document): Promise<Document> => {
      await sleep(100);
      return confirm(real);
    };
    wire.setRules({ commands: ['commitTransaction'], reply });
    const key = freshKey();
    await expectOneEffect(await refund(payment, key, brief), async () => refund(payment, key));
    expect(await mongo.refunds.countDocuments({ payment_id: payment._id })).toBe(1);
  });

  it('a cancel', async () => {
    const payment = await put();
    const reply = failingLate(11_602, 'InterruptedDueToReplStateChange');
    wire.setRules({ commands: ['insert'], collection: 'requests', reply });
    const key = freshKey();
    expectUnavailable(await cancel(payment, key));
    wire.setRules();
    const [one, two] = [await cancel(payment, key), await cancel(payment, key)];
    expect([one.status, one.json.status, two.text]).toEqual([200, 'canceled', one.text]);
    expect(await mongo.requests.countDocuments({ payment_id: payment._id })).toBe(1);
    expect(await mongo.events.countDocuments({ payment_id: payment._id })).toBe(1);
  });
});

/** The index has the row, but a majority read does not find it yet. */
const unseen = (real: Document): Document => ({
  ...real,
  cursor: { ...real['cursor'], firstBatch: [] },
});

describe('a used key whose first effect is not confirmed by a majority', () => {
  it('gets 503 for a payment', async () => {
    const key = freshKey();
    expect((await create(key)).status).toBe(201);
    wire.setRules({ commands: ['find'], collection: 'payments', reply: unseen });
    expectUnavailable(await create(key));
  });

  it('gets 503 for a refund', async () => {
    const payment = await put({ status: 'completed' });
    const key = freshKey();
    expect((await refund(payment, key)).status).toBe(201);
    const before = ({ cursor, ...real }: Document): Document => ({
      ...real,
      cursor: { ...cursor, firstBatch: [payment] },
    });
    wire.setRules(
      { commands: ['find'], collection: 'refunds', reply: unseen },
      { commands: ['find'], collection: 'payments', reply: before },
    );
    wire.seen.length = 0;
    expectUnavailable(await refund(payment, key, brief));
    // It pauses for 25 ms between two tries: a database that lags is not helped by more queries.
    const tries = wire.seen.filter((name) => name === 'commitTransaction').length;
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThanOrEqual(WORK_MS / 25);
    expect(await mongo.refunds.countDocuments({ payment_id: payment._id })).toBe(1);
  });

  it('gets 503 for a cancel, which stops retrying', async () => {
    const [payment, key] = [await put(), freshKey()];
    const reply = failingLate(11_602, 'InterruptedDueToReplStateChange');
    wire.setRules({ commands: ['insert'], collection: 'requests', reply });
    expectUnavailable(await cancel(payment, key));
    wire.setRules({ commands: ['find'], collection: 'requests', reply: unseen });
    wire.seen.length = 0;
    expectUnavailable(await cancel(payment, key));
    expect(wire.seen.filter((name) => name === 'insert')).toHaveLength(2);
  });
});
