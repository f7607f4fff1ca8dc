import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { API_KEY_FORM } from '../../domain/merchant.ts';
import type { ApiKey } from '../../domain/merchant.ts';
import { findKeys, hashOfKey, makeKey, touchKey } from '../../store/keys.ts';
import { at } from '../domain/situation.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('keys');
const HOUR_MS = 60 * 60 * 1000;

async function insertNew(mode: 'test' | 'live' = 'test') {
  const made = makeKey('mer_1', mode, at(0));
  await database.mongo.keys.insertOne(made.key);
  return made;
}

async function findKey(secret: string): Promise<ApiKey | undefined> {
  const hash = hashOfKey(secret) ?? '';
  return (await findKeys(database.mongo, [hash])).get(hash);
}

/** Returns the key with another character in its body. */
const mistyped = (secret: string): string =>
  secret.slice(0, 20) + (secret[20] === 'a' ? 'b' : 'a') + secret.slice(21);

describe('hashOfKey', () => {
  it.each([
    ['nothing', () => ''],
    ['another kind of text', () => 'Bearer me'],
    ['one wrong character', mistyped],
    ['another mode', (secret: string) => secret.replace('sk_test', 'sk_live')],
    ['a space at the end', (secret: string) => `${secret} `],
    ['part of a key', (secret: string) => secret.slice(0, -1)],
  ])('returns null for %s', (_, change) => {
    const { secret } = makeKey('mer_1', 'test', at(0));
    expect(hashOfKey(secret)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOfKey(change(secret))).toBeNull();
  });
});

describe('findKeys', () => {
  it('does not find a key that was not inserted', async () => {
    expect(await findKey(makeKey('mer_1', 'test', at(0)).secret)).toBeUndefined();
  });

  it('finds several keys, and skips unknown hashes', async () => {
    const [one, two] = [await insertNew(), await insertNew('live')];
    const hashes = [one, two].map(({ secret }) => hashOfKey(secret)!);
    const found = await findKeys(database.mongo, [...hashes, 'none']);
    expect(hashes.map((hash) => found.get(hash))).toEqual([one.key, two.key]);
    expect(found.size).toBe(2);
  });

  it('finds a key by its secret, even a revoked one', async () => {
    const { key, secret } = await insertNew('live');
    expect(await findKey(secret)).toEqual(key);
    await database.mongo.keys.updateOne({ _id: key._id }, { $set: { revoked_at: at(1) } });
    expect(await findKey(secret)).toEqual({ ...key, revoked_at: at(1) });
  });
});

describe('makeKey', () => {
  it.each(['test', 'live'] as const)('returns a %s key of the published form', (mode) => {
    const { key, secret } = makeKey('mer_1', mode, at(0));
    expect(secret).toMatch(API_KEY_FORM);
    expect(secret.startsWith(`sk_${mode}_`)).toBe(true);
    expect(key).toMatchObject({ mode, last4: secret.slice(-4), revoked_at: null });
  });

  it('stores only the hash and the last characters of the secret', async () => {
    const { key, secret } = await insertNew();
    const text = JSON.stringify(await database.raw.collection('api_keys').find().toArray());
    expect(key.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    for (const part of [secret, secret.slice(8), secret.slice(8, 16), secret.slice(-6)]) {
      expect(text).not.toContain(part);
    }
  });

  it('never returns the same key twice', () => {
    const secrets = Array.from({ length: 1000 }, () => makeKey('mer_1', 'test', at(0)).secret);
    expect(new Set(secrets).size).toBe(secrets.length);
  });
});

describe('touchKey', () => {
  it('writes at most once an hour', async () => {
    const { mongo } = database;
    const { key, secret } = await insertNew();
    const used = [0, HOUR_MS - 1, HOUR_MS, HOUR_MS + 1].map((ms) => new Date(at(0).getTime() + ms));
    const noted: (Date | null | undefined)[] = [];
    for (const now of used) {
      await touchKey(mongo, (await findKey(secret)) ?? key, now);
      noted.push((await findKey(secret))?.last_used_at);
    }
    expect(noted).toEqual([used[0], used[0], used[2], used[2]]);
  });

  it('writes once for many concurrent requests', async () => {
    const { mongo } = database;
    const { key, secret } = await insertNew();
    const moments = Array.from({ length: 10 }, (_, minutes) => at(minutes));
    await Promise.all(moments.map(async (now) => touchKey(mongo, key, now)));
    expect(moments).toContainEqual((await findKey(secret))?.last_used_at);
  });
});
