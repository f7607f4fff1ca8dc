import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { withNewSecret } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { changeEndpoint, endpointById } from '../../store/endpoints.ts';
import { mintId } from '../../store/mint.ts';
import { resealEndpoint, resealSecrets, surveySecrets } from '../../store/reseal.ts';
import { keyIdOf, makeSealer } from '../../store/seal.ts';
import type { Sealer } from '../../store/seal.ts';
import { makeEntry } from '../support/audit.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { useDatabase } from './database.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('reseal');
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const old = makeSealer(OLD, [NEW]);
const now = makeSealer(NEW, [OLD]);
/** The sealer after the old key was dropped. */
const alone = makeSealer(NEW);
const tenant = tenantOf(mintId('merchant'), 'test');
const ENDS = new Date('2031-01-01T00:00:00Z');

interface Stored {
  endpoint: Endpoint;
  /** The secrets as the merchant saw them, newest first. */
  secrets: string[];
}

/** Inserts an endpoint with a secret sealed by each of `by`. The first is the current one. */
async function stored(by: readonly Sealer[], over: Partial<Endpoint> = {}): Promise<Stored> {
  const _id = mintId('endpoint');
  const secrets = by.map(makeWebhookSecret);
  const [secret = '', ...sealed] = by.map((sealer, n) => sealer.seal(secrets[n] ?? '', _id));
  const previous = sealed.map((text) => ({ secret: text, hint: 'abcd', expires_at: ENDS }));
  const olds = previous.length === 0 ? {} : { previous_secrets: previous };
  const endpoint = makeEndpoint({ _id, m: tenant, secret, ...olds, ...over });
  await database.mongo.endpoints.insertOne(endpoint);
  return { endpoint, secrets };
}

const read = async ({ _id }: Endpoint) => (await endpointById(database.mongo, _id))!;

async function opened(endpoint: Endpoint, by: Sealer): Promise<string[]> {
  const { secret, previous_secrets: previous = [] } = await read(endpoint);
  const sealed = [secret, ...previous.map((each) => each.secret)];
  return sealed.map((text) => by.unseal(text, endpoint._id));
}

async function rotate(endpoint: Endpoint, by: Sealer): Promise<string | undefined> {
  const secret = makeWebhookSecret();
  for (let tries = 0; tries < 20; tries += 1) {
    const before = await read(endpoint);
    const fresh = { secret: by.seal(secret, endpoint._id), hint: 'efgh' };
    const when = { overlapMs: 60_000, now: new Date() };
    const after = withNewSecret({ ...before, previous_secrets: [] }, fresh, when)!;
    const entry = makeEntry();
    if (await changeEndpoint(database.mongo, { before, after, entry })) return secret;
  }
  return undefined;
}

beforeEach(async () => {
  await database.mongo.users.deleteMany({});
  await database.mongo.endpoints.deleteMany({});
});

const rest = (row: Endpoint) =>
  row.previous_secrets?.map(({ hint, expires_at: end }) => [hint, end]);

describe('resealEndpoint', () => {
  it('does not overwrite a secret that was replaced since it was read', async () => {
    const { endpoint } = await stored([old]);
    const look = await read(endpoint);
    const secret = await rotate(endpoint, old);
    const replaced = await read(endpoint);
    expect(await resealEndpoint(database.mongo, now, look)).toBeUndefined();
    expect(await read(endpoint)).toEqual(replaced);
    expect((await opened(endpoint, now))[0]).toBe(secret);
  });

  it('is not undone by a change that was read before it', async () => {
    const { endpoint, secrets } = await stored([old]);
    const before = await read(endpoint);
    expect(await resealEndpoint(database.mongo, now, before)).toBe(1);
    const moved = { ...before, url: 'https://other.example/hooks' };
    const edit = { before, after: moved, entry: makeEntry() };
    expect(await changeEndpoint(database.mongo, edit)).toBe(false);
    expect(await opened(endpoint, alone)).toEqual(secrets);
  });

  it('is not undone for a previous secret either', async () => {
    const { endpoint, secrets } = await stored([now, old]);
    const before = await read(endpoint);
    expect(await resealEndpoint(database.mongo, now, before)).toBe(1);
    const moved = { ...before, url: 'https://other.example/hooks' };
    const edit = { before, after: moved, entry: makeEntry() };
    expect(await changeEndpoint(database.mongo, edit)).toBe(false);
    expect(await opened(endpoint, alone)).toEqual(secrets);
  });

  it('changes only the sealed texts', async () => {
    const { endpoint } = await stored([old, now, old]);
    await resealEndpoint(database.mongo, now, endpoint);
    const texts = { secret: expect.any(String), previous_secrets: expect.any(Array) };
    const after = await read(endpoint);
    expect(after).toEqual({ ...endpoint, ...texts });
    expect(rest(after)).toEqual(rest(endpoint));
    expect(after.previous_secrets?.[0]).toEqual(endpoint.previous_secrets?.[0]);
  });
});

describe('resealSecrets', () => {
  it('reseals every secret, even of disabled and deleted endpoints', async () => {
    const all = [
      await stored([old]),
      await stored([now]),
      await stored([now, old]),
      await stored([old, old, now], { status: 'disabled', disabled_reason: 'gone' }),
      await stored([old], { status: 'deleted' }),
    ];
    const untouched = await read(all[1]!.endpoint);
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 5, already: 3 });
    for (const { endpoint, secrets } of all) expect(await opened(endpoint, alone)).toEqual(secrets);
    expect(await read(all[1]!.endpoint)).toEqual(untouched);
    const rows = JSON.stringify(await database.mongo.endpoints.find().toArray());
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 0, already: 8 });
    expect(JSON.stringify(await database.mongo.endpoints.find().toArray())).toBe(rows);
  });

  it('reseals several batches, twice at once, during rotations, without a loss', async () => {
    const all = Array.from({ length: 60 }, () => {
      const [_id, secret] = [mintId('endpoint'), makeWebhookSecret()];
      const endpoint = makeEndpoint({ _id, m: tenant, secret: old.seal(secret, _id) });
      return { endpoint, secrets: [secret] };
    });
    await database.mongo.endpoints.insertMany(all.map(({ endpoint }) => endpoint));
    const rotated = all.filter((_, n) => n % 7 === 0);
    const [one, two] = await Promise.all([
      resealSecrets(database.mongo, now),
      resealSecrets(database.mongo, now),
      ...rotated.map(async (each, n) => {
        // Some operators use a command line with the new key, and some use one with the old key.
        const secret = await rotate(each.endpoint, n % 2 === 0 ? now : old);
        each.secrets = [secret ?? 'none was written', ...each.secrets];
      }),
    ]);
    const resealed = one.resealed + two.resealed;
    expect(resealed).toBeGreaterThanOrEqual(all.length - rotated.length);
    for (const { endpoint, secrets } of all) expect(await opened(endpoint, now)).toEqual(secrets);
    await resealSecrets(database.mongo, now);
    for (const { endpoint, secrets } of all) expect(await opened(endpoint, alone)).toEqual(secrets);
  });

  it('skips secrets that no key opens, and reseals the others', async () => {
    const lost = await stored([makeSealer(randomBytes(32)), old]);
    const { endpoint, secrets } = await stored([old]);
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 2, already: 0 });
    expect(await opened(endpoint, alone)).toEqual(secrets);
    const after = await read(lost.endpoint);
    expect(after.secret).toBe(lost.endpoint.secret);
    expect(keyIdOf(after.previous_secrets![0]!.secret)).toBe(now.keyId);
  });

  it('can be interrupted between any two writes and repeated', async () => {
    const all = [await stored([old]), await stored([old, old]), await stored([old])];
    for (const { endpoint } of all) {
      expect(await resealEndpoint(database.mongo, now, endpoint)).toBeGreaterThan(0);
      for (const each of all) expect(await opened(each.endpoint, now)).toEqual(each.secrets);
      for (const each of all) expect(await opened(each.endpoint, old)).toEqual(each.secrets);
    }
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 0, already: 4 });
  });
});

/** Stores a user whose app's secret is sealed with that key. Returns the id. */
async function userWith(sealer: Sealer): Promise<string> {
  const _id = mintId('user');
  const secret = sealer.seal('GEZDGNBVGY3TQOJQ', _id);
  const step = { secret, active_since: new Date(), counter: 7, misses: 1, retry_at: null };
  await database.mongo.users.insertOne({
    _id,
    merchant_id: 'mer_1',
    email: `${_id}@shop.example`,
    password_hash: '',
    second_step: { ...step, recovery_codes: ['a'] },
    created_at: new Date(),
  });
  return _id;
}

describe('the secret of an authenticator app', () => {
  it('is resealed with the current key, and nothing else of the user changes', async () => {
    const id = await userWith(old);
    const before = (await database.mongo.users.findOne({ _id: id }))!.second_step!;
    expect((await surveySecrets(database.mongo, now)).older).toEqual({ [old.keyId]: 1 });
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 1, already: 0 });
    const after = (await database.mongo.users.findOne({ _id: id }))!.second_step!;
    expect(alone.unseal(after.secret, id)).toBe('GEZDGNBVGY3TQOJQ');
    expect({ ...after, secret: '' }).toEqual({ ...before, secret: '' });
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 0, already: 1 });
  });

  it('that no key opens is reported with its user', async () => {
    const lost = makeSealer(randomBytes(32));
    const id = await userWith(lost);
    const { unreadable } = await surveySecrets(database.mongo, now);
    expect(unreadable).toEqual({ count: 1, keys: [lost.keyId], endpoints: [], users: [id] });
    expect(await resealSecrets(database.mongo, now)).toEqual({ resealed: 0, already: 0 });
  });
});

describe('surveySecrets', () => {
  it('counts by key, reports unreadable secrets, and changes nothing', async () => {
    const third = makeSealer(randomBytes(32));
    const lost = await stored([third, old]);
    await stored([third], { status: 'deleted' });
    await stored([now, old, old]);
    const damaged = await stored([now], { secret: `${now.keyId}:AAAA` });
    const rows = JSON.stringify(await database.mongo.endpoints.find().toArray());
    expect(await surveySecrets(database.mongo, now)).toEqual({
      current: 1,
      older: { [old.keyId]: 3 },
      unreadable: {
        count: 2,
        keys: [third.keyId, now.keyId],
        endpoints: [lost.endpoint._id, damaged.endpoint._id],
        users: [],
      },
    });
    expect(JSON.stringify(await database.mongo.endpoints.find().toArray())).toBe(rows);
  });
});
