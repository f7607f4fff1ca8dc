import { describe, expect, it } from 'vitest';
import { MAX_ENDPOINTS } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import {
  changeEndpoint,
  disableEndpoint,
  endpointsOf,
  endpointById,
  findEndpoint,
  insertEndpoint,
  setFailingSince,
} from '../../store/endpoints.ts';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import { at } from '../domain/situation.ts';
import { entriesAbout, makeEntry } from '../support/audit.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { retryUnavailable } from '../support/retry.ts';
import { rejection, useDatabase } from './database.ts';
import { merchantOf, tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('endpoints');
const newTenant = (): string => tenantOf(mintId('merchant'), 'test');

/** Returns the tenant of a merchant that exists. */
async function hired(): Promise<string> {
  const tenant = newTenant();
  const _id = merchantOf(tenant);
  await database.mongo.merchants.insertOne({ _id, name: 'Shop', locale: 'hy', created_at: at(0) });
  return tenant;
}

async function stored(over: Partial<Endpoint> = {}): Promise<Endpoint> {
  const endpoint = makeEndpoint({ m: newTenant(), ...over });
  await database.mongo.endpoints.insertOne(endpoint);
  return endpoint;
}

const read = async ({ _id }: Endpoint) => endpointById(database.mongo, _id);

const insert = async (endpoint: Endpoint, newest?: string) =>
  insertEndpoint(database.mongo, endpoint, { entry: makeEntry(), newest });

describe('insertEndpoint', () => {
  it('refuses more endpoints of a tenant than the maximum, not counting deleted ones', async () => {
    const tenant = await hired();
    await stored({ m: tenant, status: 'deleted' });
    for (let n = 0; n < MAX_ENDPOINTS; n += 1) {
      expect(await insert(makeEndpoint({ m: tenant }))).toBe('inserted');
    }
    const more = makeEndpoint({ m: tenant });
    expect(await insert(more)).toBe('full');
    expect(await read(more)).toBeNull();
    expect(await insert(makeEndpoint({ m: await hired() }))).toBe('inserted');
  });

  it('inserts one of two that name the same newest endpoint', async () => {
    const tenant = await hired();
    const [first, second] = [makeEndpoint({ m: tenant }), makeEndpoint({ m: tenant })];
    expect([await insert(first, ''), await insert(second, '')]).toEqual(['inserted', 'changed']);
    expect(await insert(second, first._id)).toBe('inserted');
    expect(await database.mongo.endpoints.countDocuments({ m: tenant })).toBe(2);
  });

  it('keeps the maximum if operators on two servers insert at once', async () => {
    const other = await openMongo({ uri: database.uri, dbName: database.name });
    const tenant = await hired();
    const spare = 3;
    for (let n = spare; n < MAX_ENDPOINTS; n += 1) await stored({ m: tenant });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const endpoint = makeEndpoint({ m: tenant });
        const mongo = n % 2 ? other : database.mongo;
        const entry = makeEntry();
        return retryUnavailable(async () => insertEndpoint(mongo, endpoint, { entry }));
      }),
    );
    await other.close();
    expect(outcomes.filter((each) => each === 'inserted')).toHaveLength(spare);
    expect(await database.mongo.endpoints.countDocuments({ m: tenant })).toBe(MAX_ENDPOINTS);
  });

  it('throws if the merchant does not exist', async () => {
    const endpoint = makeEndpoint({ m: newTenant() });
    expect(String(await rejection(insert(endpoint)))).toMatch(/no merchant/);
    expect(await read(endpoint)).toBeNull();
  });
});

describe('findEndpoint', () => {
  it('does not find deleted endpoints or those of other tenants', async () => {
    const deleted = await stored({ status: 'deleted' });
    const endpoint = await stored();
    expect(await findEndpoint(database.mongo, deleted.m, deleted._id)).toBeNull();
    expect(await findEndpoint(database.mongo, deleted.m, endpoint._id)).toBeNull();
    expect(await findEndpoint(database.mongo, endpoint.m, endpoint._id)).toEqual(endpoint);
    expect(await read(deleted)).toEqual(deleted);
  });
});

describe('endpointsOf', () => {
  it('returns the endpoints of the tenant that are not deleted', async () => {
    const { mongo } = database;
    const enabled = await stored();
    const { m: tenant } = enabled;
    const disabled = await stored({ m: tenant, status: 'disabled' });
    await stored({ m: tenant, status: 'deleted' });
    await stored();
    const found = await mongo.transact(async (session) => endpointsOf(mongo, session, tenant));
    expect(found.map(({ _id }) => _id).toSorted()).toEqual([enabled._id, disabled._id].toSorted());
  });
});

const renamed = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  description: 'renamed',
  updated_at: at(1),
});

const change = async (before: Endpoint, after: Endpoint): Promise<boolean> => {
  const entry = makeEntry({ objectId: before._id });
  return changeEndpoint(database.mongo, { before, after, entry });
};

describe('changeEndpoint', () => {
  const old = { secret: 'sealed', hint: 'abcd', expires_at: at(9) };

  it.each<[string, Partial<Endpoint>, Partial<Endpoint>]>([
    ['secret was resealed', {}, { secret: 'anew' }],
    [
      'replaced secret was resealed',
      { previous_secrets: [old] },
      { previous_secrets: [{ ...old, secret: 'anew' }] },
    ],
    ['first replaced secret was added', {}, { previous_secrets: [old] }],
    ['replaced secrets were removed', { previous_secrets: [old] }, { previous_secrets: [] }],
  ])(
    'writes nothing if the %s since it was read, even in the same millisecond',
    async (_, was, becomes) => {
      const { mongo } = database;
      const before = await stored(was);
      await mongo.endpoints.updateOne({ _id: before._id }, { $set: becomes });
      expect(await change(before, renamed(before))).toBe(false);
      expect(await read(before)).toEqual({ ...before, ...becomes });
      expect(await entriesAbout(mongo, before._id)).toEqual([]);
      const again = (await read(before))!;
      expect(await change(again, renamed(again))).toBe(true);
      expect(await read(before)).toMatchObject({ ...becomes, description: 'renamed' });
      expect(await entriesAbout(mongo, before._id)).toHaveLength(1);
    },
  );
});

describe('setFailingSince', () => {
  it('does nothing if another time was recorded meanwhile', async () => {
    const { mongo } = database;
    const endpoint = await stored();
    await setFailingSince(mongo, endpoint, at(1));
    await setFailingSince(mongo, endpoint, at(2));
    expect((await read(endpoint))?.failing_since).toEqual(at(1));
    await setFailingSince(mongo, { ...endpoint, failing_since: at(1) }, null);
    expect(await read(endpoint)).toEqual(endpoint);
  });
});

const disable = async (endpoint: Endpoint, reason: 'gone' | 'failing' = 'gone') => {
  const { mongo } = database;
  const how = { endpoint, reason, now: at(1) };
  return mongo.transact(async (session) => disableEndpoint(mongo, session, how));
};

describe('disableEndpoint', () => {
  it.each(['disabled', 'deleted'] as const)(
    'does not change an endpoint that is %s',
    async (status) => {
      const endpoint = await stored({ status });
      expect(await disable(endpoint)).toBe(false);
      expect(await read(endpoint)).toEqual(endpoint);
    },
  );

  it('does not disable an endpoint that has changed since it was read', async () => {
    const before = await stored();
    const url = 'https://shop.example/elsewhere';
    await change(before, { ...before, url });
    expect(await disable(before)).toBe(false);
    expect(await read(before)).toMatchObject({ status: 'enabled', url });
  });

  it('does not disable an endpoint for failures if it has worked since', async () => {
    const before = await stored({ failing_since: at(0) });
    await setFailingSince(database.mongo, before, null);
    expect(await disable(before, 'failing')).toBe(false);
    expect(await disable(before, 'gone')).toBe(true);
  });

  it('disables an endpoint once if many try at once', async () => {
    const endpoint = await stored();
    const many = Array.from({ length: 5 }, async () =>
      retryUnavailable(async () => disable(endpoint)),
    );
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    expect(await read(endpoint)).toEqual({
      ...endpoint,
      status: 'disabled',
      disabled_reason: 'gone',
      updated_at: at(1),
    });
  });
});
