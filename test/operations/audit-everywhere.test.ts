/** Every act of a person is recorded in the audit, and fails if it cannot be recorded. */
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../domain/audit.ts';
import type { Action, AuditEntry } from '../../domain/audit.ts';
import { advancePayment } from '../../operations/advance-payment.ts';
import { updateMerchant } from '../../operations/change-merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { createKey, revokeKey, rollKey } from '../../operations/keys.ts';
import { mintId } from '../../store/mint.ts';
import {
  deleteEndpoint,
  disableEndpointByHand,
  enableEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../operations/change-endpoint.ts';
import { checkReceiver } from '../../operations/check-receiver.ts';
import { cancelPayment } from '../../operations/cancel-payment.ts';
import { createEndpoint } from '../../operations/create-endpoint.ts';
import { createRefund } from '../../operations/create-refund.ts';
import { resendDelivery } from '../../operations/deliveries.ts';
import { createMerchant } from '../../operations/merchant.ts';
import { endReplay, startReplay } from '../../operations/replay.ts';
import { failuresIn } from '../../operations/selection.ts';
import { pingEndpoint, sendExample } from '../../operations/test-event.ts';
import { ACTOR, makeEntry, withoutAudit } from '../support/audit.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { useGround } from './endpoints.ts';
import { requestOf } from './request.ts';

const ground = await useGround('all_acts');

/** The ids of the objects that the table's acts change. */
interface Objects {
  endpoint: string;
  delivery: string;
  key: string;
  replay: string;
  payment: string;
}

const services = () => ({
  ...ground.services,
  temporal: { ...ground.services.temporal, resumeReplay: async () => undefined },
});

async function setUp(): Promise<Objects> {
  const endpoint = await ground.endpoint();
  const { _id: delivery } = await ground.delivery(endpoint, { state: 'failed' });
  const { id: key } = await createKey(services(), { merchant: ground.merchant, mode: 'test' });
  const busy = await ground.endpoint();
  const until = new Date(Date.now() - 1);
  await ground.delivery(busy, { state: 'failed', ...made(until) });
  const { id: replay } = await startReplay(services(), requestFor(busy._id));
  const payment = await putPayment();
  return { endpoint: endpoint._id, delivery, key: String(key), replay: String(replay), payment };
}

/** Stores a payment of the merchant. Returns its id. */
async function putPayment(overrides: Partial<Payment> = {}): Promise<string> {
  const row = makePayment({ merchant_id: ground.merchant, m: ground.m, ...overrides });
  await ground.mongo.payments.insertOne(row);
  return row._id;
}

const asked = () => requestOf(ground, ACTOR);

/** Overrides that let a replay of the time before now find the row. */
const made = (at: Date) => ({ _id: mintId('delivery'), created_at: at, next_attempt_at: null });

const requestFor = (endpoint: string) => ({
  endpoint,
  from: new Date(0),
  until: new Date(Date.now() + 60_000),
  selection: failuresIn('failed'),
});

const outbound = { post: async () => Promise.reject(new Error('Nothing should be sent.')) };
const checkUnsent = async (id: string): Promise<void> =>
  checkReceiver({ ...services(), outbound }, { id, isUnwanted: () => true });

type RunAct = (objects: Objects) => Promise<unknown>;

/** Each action, its act, and the object that it changes, unless the act creates it. */
const ACTS: readonly (readonly [Action, RunAct, keyof Objects | null])[] = [
  [
    'merchant.create',
    async () => {
      const email = `${mintId('user')}@shop.example`;
      return createMerchant(services(), { name: 'Shop', email, locale: 'en' });
    },
    null,
  ],
  [
    'merchant.update',
    async () => updateMerchant(services(), { merchant: ground.merchant, name: 'Tea house' }),
    null,
  ],
  [
    'payment.advance',
    async () => {
      const id = await putPayment({ status: 'processing', attempts: [makeAttempt()] });
      return advancePayment(asked(), { id, to: 'expiry', actor: ACTOR });
    },
    null,
  ],
  [
    'key.create',
    async () => createKey(services(), { merchant: ground.merchant, mode: 'live', name: 'Till' }),
    null,
  ],
  [
    'key.roll',
    async ({ key: id }) => rollKey(services(), { merchant: ground.merchant, id, overlap: '0' }),
    'key',
  ],
  [
    'key.revoke',
    async ({ key: id }) => revokeKey(services(), { merchant: ground.merchant, id }),
    'key',
  ],
  [
    'endpoint.create',
    async () => {
      const url = 'http://127.0.0.1:9000/hooks?token=secret';
      return createEndpoint(services(), { merchant: ground.merchant, url, events: '*' });
    },
    null,
  ],
  [
    'endpoint.update',
    async ({ endpoint: id }) => updateEndpoint(services(), { id, description: 'Till' }),
    'endpoint',
  ],
  ['endpoint.enable', async ({ endpoint: id }) => enableEndpoint(services(), { id }), 'endpoint'],
  [
    'endpoint.disable',
    async ({ endpoint: id }) => disableEndpointByHand(services(), { id }),
    'endpoint',
  ],
  ['endpoint.delete', async ({ endpoint: id }) => deleteEndpoint(services(), { id }), 'endpoint'],
  [
    'endpoint.rotate_secret',
    async ({ endpoint: id }) => rotateSecret(services(), { id, overlap: '1h' }),
    'endpoint',
  ],
  ['endpoint.ping', async ({ endpoint: id }) => pingEndpoint(services(), { id }), 'endpoint'],
  [
    'endpoint.example',
    async ({ endpoint: id }) => sendExample(services(), { id, type: 'refund.failed' }),
    'endpoint',
  ],
  ['endpoint.check', async ({ endpoint: id }) => checkUnsent(id), 'endpoint'],
  ['payment.cancel', async ({ payment: id }) => cancelPayment(asked(), { id }), 'payment'],
  [
    'refund.create',
    async () => createRefund(asked(), { payment_id: await putPayment({ status: 'completed' }) }),
    null,
  ],
  ['delivery.resend', async ({ delivery: id }) => resendDelivery(services(), { id }), 'delivery'],
  ['replay.start', async ({ endpoint }) => startReplay(services(), requestFor(endpoint)), null],
  ['replay.stop', async ({ replay: id }) => endReplay(services(), { id }), 'replay'],
];

const entries = async (): Promise<AuditEntry[]> =>
  ground.mongo.auditEntries.find().sort({ _id: 1 }).toArray();

/** Returns everything in the database, for a comparison. */
async function everything(): Promise<string> {
  const { endpoints, events, deliveries, replays, checks, merchants, keys, users } = ground.mongo;
  const all = [endpoints, events, deliveries, replays, checks, merchants, keys, users];
  const read = (name: string) => ground.mongo.db.collection(name).find().sort({ _id: 1 });
  const reads = all.map(async ({ collectionName }) => read(collectionName).toArray());
  const rows = await Promise.all([...reads, entries()]);
  return JSON.stringify(rows);
}

describe('every act', () => {
  it.each(ACTS)('%s is recorded, with its actor and without a secret', async (action, act, to) => {
    const objects = await setUp();
    const before = await entries();
    const shown = ((await act(objects)) ?? {}) as Record<string, unknown>;
    const added = (await entries()).slice(before.length);
    const [entry, ...more] = added.filter((each) => each.action === action);
    expect(more).toEqual([]);
    const merchant = action === 'merchant.create' ? shown['merchant_id'] : ground.merchant;
    expect(entry).toMatchObject({ actor: ACTOR, merchant_id: merchant });
    if (to !== null) expect(entry?.object.id).toBe(objects[to]);
    expect(Math.abs((entry?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);

    const text = JSON.stringify(added);
    const secrets = ['api_key', 'test_api_key', 'secret', 'dashboard_password'];
    for (const name of secrets.filter((each) => each in shown)) {
      expect(text).not.toContain(String(shown[name]).slice(8, 20));
    }
    const keys = await ground.mongo.keys.find().toArray();
    const users = await ground.mongo.users.find().toArray();
    const sealed = await ground.mongo.endpoints.find().toArray();
    const hidden = [...keys.map(({ hash }) => hash), ...sealed.map(({ secret }) => secret)];
    hidden.push('token=secret', ...users.flatMap((user) => [user.email, user.password_hash]));
    expect(hidden.filter((each) => text.includes(each))).toEqual([]);
  });

  it.each(ACTS)('%s fails if it cannot be recorded', async (_, act) => {
    const objects = await setUp();
    const before = await everything();
    const done = withoutAudit(ground.mongo, async () => act(objects));
    await expect(done).rejects.toThrow('The audit cannot be written.');
    expect(await everything()).toBe(before);
  });

  it('is in this table, unless it is tested elsewhere: of the staff, keys and the API', () => {
    const tested = new Set<string>(ACTS.map(([action]) => action));
    // A payment is changed by API keys only (test/api/update.test.ts).
    const elsewhere = /^user\.|^merchant\.invite$|^payment\.update$/;
    const others = ACTIONS.filter((action) => !tested.has(action) && !elsewhere.test(action));
    expect(others).toEqual(['encryption_key.rotate', 'encryption_key.reseal']);
  });
});

describe('an act that changes nothing', () => {
  it('is not recorded: stopping a stopped replay, revoking a revoked key', async () => {
    const { replay, key } = await setUp();
    await endReplay(services(), { id: replay });
    await revokeKey(services(), { merchant: ground.merchant, id: key });
    const before = await entries();
    await endReplay(services(), { id: replay });
    await revokeKey(services(), { merchant: ground.merchant, id: key });
    expect(await entries()).toEqual(before);
    await ground.mongo.auditEntries.insertOne(makeEntry());
    expect(await entries()).toHaveLength(before.length + 1);
  });

  it('is not recorded: canceling a canceled payment, or one at the bank', async () => {
    const canceled = await putPayment({ status: 'canceled' });
    const paid = await putPayment({ status: 'processing', attempts: [makeAttempt()] });
    const before = await entries();
    await cancelPayment(asked(), { id: canceled });
    await expect(cancelPayment(asked(), { id: paid })).rejects.toThrow('is processing');
    expect(await entries()).toEqual(before);
  });

  it('is not recorded: starting a second replay of an endpoint', async () => {
    const { endpoint } = await setUp();
    await startReplay(services(), requestFor(endpoint));
    const before = await entries();
    await expect(startReplay(services(), requestFor(endpoint))).rejects.toThrow('is running');
    expect(await entries()).toEqual(before);
  });
});
