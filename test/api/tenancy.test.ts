/** No response reveals anything of another merchant, or of the other mode. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import type { IdKind } from '../../domain/id.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { makeKey } from '../../store/keys.ts';
import { mintId } from '../../store/mint.ts';
import { insertRecords } from './records.ts';
import type { Records } from './records.ts';
import { PAYMENT, makeTenant, putPayment, openStand } from './harness.ts';
import type { Reply, RunningApi, Tenant } from './harness.ts';
import { BODIES, LISTS, isList, requestsFor } from './requests.ts';
import type { IdRequest } from './requests.ts';

const { mongo, temporal, tenant, api } = await openStand('tenancy');

interface Party {
  readonly who: Tenant;
  readonly client: RunningApi;
  readonly owns: Records;
}

const NAMES = ['the test mode', 'the live mode', 'another merchant'] as const;
let parties: Record<(typeof NAMES)[number], Party>;

beforeAll(async () => {
  const { key, secret } = makeKey(tenant.merchantId, 'live', new Date());
  await mongo.keys.insertOne(key);
  const live = { ...tenant, m: tenantOf(tenant.merchantId, 'live'), secret };
  const join = async (who: Tenant): Promise<Party> => {
    const client = api.as(who);
    // The first use of a key is recorded. After that, nothing should change.
    await client.send('GET', '/v1/currencies');
    return { who, client, owns: await insertRecords(mongo, who) };
  };
  parties = {
    'the test mode': await join(tenant),
    'the live mode': await join(live),
    'another merchant': await join(await makeTenant(mongo)),
  };
});

/** Headers that differ between responses. */
const PER_REQUEST = /^(?:request-id|date|ratelimit)$/;

/** Returns the parts of the response that could reveal something. */
async function ask({ client }: Party, { method, path, sent }: IdRequest) {
  const { status, text, headers }: Reply = await client.send(method, path, sent);
  const kept = [...headers].filter(([name]) => !PER_REQUEST.test(name));
  return { status, text: text.replaceAll(/req_[0-9A-Z]{26}/g, 'req_'), headers: kept };
}

/** Returns all documents of the database. */
async function everything(): Promise<unknown> {
  const collections = await mongo.payments.db.collections();
  const read = collections.map(async (collection) => [
    collection.collectionName,
    await collection.find().sort({ _id: 1 }).toArray(),
  ]);
  return Promise.all(read);
}

/** The documents before the first of the requests below, which change none. */
let before: unknown;

const named = ROUTES.filter((route) => requestsFor(route, 'id', []).length > 0);
const CASES = named.flatMap((route) => {
  return (['the test mode', 'the live mode'] as const).map(
    (caller) => [route[0], route[1], caller, route] as const,
  );
});

describe('an id of another merchant', () => {
  it('is tested in every route with an id', () => {
    const posts = ROUTES.filter(([method]) => method === 'POST').map(([, path]) => path);
    expect(Object.keys(BODIES).toSorted()).toEqual(posts.toSorted());
    const lists = ROUTES.filter(isList).map(([, path]) => path);
    expect(LISTS.map(({ path }) => path).toSorted()).toEqual(lists.toSorted());
    const left = ROUTES.filter((route) => !named.includes(route)).map(([, path]) => path);
    expect(left.toSorted()).toEqual(['/v1/currencies', '/v1/payments']);
  });

  it.each(CASES)(
    '%s %s returns the same to %s as for an unknown id',
    async (_, __, caller, route) => {
      const { [caller]: self, ...rest } = parties;
      const others = Object.values<Party>(rest);
      const keys = others.map(({ owns }) => owns.key);
      before ??= await everything();
      const calls = temporal.asked.length + temporal.started.length;
      for (const { owns } of others) {
        for (const [kind, ids] of Object.entries(owns.ids)) {
          const unknown = requestsFor(route, mintId(kind as IdKind), keys);
          const expected = await Promise.all(unknown.map(async (way) => ask(self, way)));
          for (const id of ids) {
            const ways = requestsFor(route, id, keys);
            const answers = await Promise.all(ways.map(async (way) => [way, await ask(self, way)]));
            expect(answers).toEqual(ways.map((way, index) => [way, expected[index]]));
          }
        }
      }
      expect(temporal.asked.length + temporal.started.length).toBe(calls);
      expect(await everything()).toEqual(before);
    },
  );

  it.each(NAMES)('is in no list of %s', async (name) => {
    const { [name]: self, ...rest } = parties;
    const others = Object.values<Party>(rest);
    for (const { kind, path, filters } of LISTS) {
      const own = self.owns.ids[kind as keyof Records['ids']].toSorted();
      const all = await self.client.send('GET', `${path}?limit=100`);
      expect(all.json.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(own);
      const values: Record<string, string> = {
        status: kind === 'refund' ? 'pending,completed' : 'created,completed',
        type: '*',
        payment_id: self.owns.ids.payment[2]!,
        order_id: self.owns.orderId,
        'metadata.customer': '4711',
      };
      for (const each of Object.keys(filters)) {
        const filter = each.replace('*', 'customer');
        const address = `${path}?${filter}=${values[filter]}`;
        const { text, json } = await self.client.send('GET', address);
        expect(json.data).not.toHaveLength(0);
        for (const { owns } of others) {
          for (const id of Object.values(owns.ids).flat()) expect(text).not.toContain(id);
        }
      }
    }
  });

  it('is not found by its order id, even if that is also used by the caller', async () => {
    const [test, live, other] = NAMES.map((name) => parties[name]);
    const found = await test!.client.send('GET', `/v1/payments?order_id=${other!.owns.orderId}`);
    expect(found.json.data).toEqual([]);
    const order_id = 'the-same';
    const mine = await putPayment({ mongo, tenant: test!.who }, { order_id });
    await putPayment({ mongo, tenant: other!.who }, { order_id });
    await putPayment({ mongo, tenant: live!.who }, { order_id, livemode: true });
    const { json } = await test!.client.send('GET', `/v1/payments?order_id=${order_id}`);
    expect(json.data).toMatchObject([{ id: mine._id }]);
  });

  it.each(named)(
    'gets another response than an unknown id if its own merchant sends it: %s %s',
    async (...route) => {
      const self = parties['the test mode'];
      const kinds = Object.entries(self.owns.ids);
      const differences = kinds.map(async ([kind, ids]) => {
        const strange = requestsFor(route, mintId(kind as IdKind), []);
        const unknown = await Promise.all(strange.map(async (way) => ask(self, way)));
        const ways = ids.flatMap((id) => [...requestsFor(route, id, []).entries()]);
        const differs = ways.map(async ([index, way]) => {
          return JSON.stringify(await ask(self, way)) !== JSON.stringify(unknown[index]);
        });
        return (await Promise.all(differs)).some(Boolean);
      });
      expect((await Promise.all(differences)).some(Boolean)).toBe(true);
    },
  );
});

describe('an idempotency key', () => {
  const key = 'shared-by-all';
  const send = async (name: (typeof NAMES)[number], path: string, body: object) =>
    parties[name].client.send('POST', path, { body, key });

  it('of a payment is unknown to other merchants and to the other mode', async () => {
    const first = await send('another merchant', '/v1/payments', PAYMENT);
    const live = await send('the live mode', '/v1/payments', PAYMENT);
    expect([live.status, live.json.error.code]).toEqual([403, 'live_mode_unavailable']);
    const mine = await send('the test mode', '/v1/payments', { ...PAYMENT, amount: 999 });
    expect([first.status, mine.status]).toEqual([201, 201]);
    expect(mine.json.id).not.toBe(first.json.id);
    for (const { headers } of [first, live, mine]) {
      expect(headers.has('idempotent-replayed')).toBe(false);
    }
    for (const [name, original] of [
      ['another merchant', first],
      ['the test mode', mine],
    ] as const) {
      const body = { ...PAYMENT, amount: original.json.amount };
      const again = await send(name, '/v1/payments', body);
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([
        original.text,
        'true',
      ]);
    }
  });

  it('of a refund is unknown to other merchants and to the other mode', async () => {
    const { who } = parties['another merchant'];
    const theirs = await putPayment({ mongo, tenant: who }, { status: 'completed' });
    const mine = await putPayment({ mongo, tenant }, { status: 'completed' });
    const first = await send('another merchant', '/v1/refunds', { payment_id: theirs._id });
    const stolen = await send('the test mode', '/v1/refunds', { payment_id: theirs._id });
    expect([first.status, stolen.status]).toEqual([201, 404]);
    const second = await send('the test mode', '/v1/refunds', { payment_id: mine._id });
    expect([second.status, second.json.payment_id]).toEqual([201, mine._id]);
    expect(second.headers.has('idempotent-replayed')).toBe(false);
  });

  it('of a cancel is unknown to other merchants and to the other mode', async () => {
    for (const name of NAMES) {
      const livemode = name === 'the live mode';
      const { _id } = await putPayment({ mongo, tenant: parties[name].who }, { livemode });
      const path = `/v1/payments/${_id}/cancel`;
      for (const other of NAMES.filter((one) => one !== name)) {
        expect((await send(other, path, {})).status).toBe(404);
      }
      const reply = await send(name, path, { reason: name });
      expect(reply.json).toMatchObject({ id: _id, cancellation: { reason: name } });
      expect(reply.headers.has('idempotent-replayed')).toBe(false);
      for (const other of NAMES.filter((one) => one !== name)) {
        expect((await send(other, path, { reason: name })).status).toBe(404);
      }
    }
  });
});
