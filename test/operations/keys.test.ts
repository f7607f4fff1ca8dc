import { describe, expect, it } from '@jest/globals';
import { API_KEY_FORM, MAX_ACTIVE_KEYS, isKeyOver } from '../../domain/merchant.ts';
import type { ApiKey } from '../../domain/merchant.ts';
import { createKey, revokeKey, rollKey, showKeys } from '../../operations/keys.ts';
import { findKey, makeKey } from '../../store/keys.ts';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import { entriesAbout } from '../support/audit.ts';
import { insist } from '../support/insist.ts';
import { refusalOf } from '../webhooks/ground.ts';
import { useGround } from './ground.ts';

const ground = useGround('operations_keys');
const HOUR_MS = 60 * 60 * 1000;

const create = async (over: object = {}) =>
  createKey(ground.services, { merchant: ground.merchant, mode: 'test', ...over });
const roll = async (id: unknown, overlap = '24h', merchant = ground.merchant) =>
  rollKey(ground.services, { merchant, id: String(id), overlap });
const revoke = async (id: unknown, merchant = ground.merchant) =>
  revokeKey(ground.services, { merchant, id: String(id) });
const list = async (mode?: string) =>
  showKeys(ground.services, { merchant: ground.merchant, ...(mode ? { mode } : {}) });
const read = async (id: unknown): Promise<ApiKey> =>
  (await ground.mongo.keys.findOne({ _id: String(id) }))!;
const actions = async (id: unknown) =>
  (await entriesAbout(ground.mongo, id)).map(({ action }) => action);
const countActive = async (mode = 'test'): Promise<number> => {
  const keys = await ground.mongo.keys.find({ merchant_id: ground.merchant }).toArray();
  return keys.filter((key) => key.mode === mode && !isKeyOver(key, new Date())).length;
};

/** A key from before keys had names and ends. */
async function oldKey(): Promise<{ id: string; secret: string }> {
  const { key, secret } = makeKey(ground.merchant, 'test', new Date());
  const { expires_at: _, ...row } = key;
  await ground.mongo.keys.insertOne(row);
  return { id: row._id, secret };
}

describe('createKey', () => {
  it('shows the secret of a new key, and keeps it nowhere', async () => {
    const made = await create({ mode: 'live', name: 'Till 2' });
    expect(made).toMatchObject({ name: 'Till 2', mode: 'live', expires_at: null });
    const secret = String(made['api_key']);
    expect(secret).toMatch(API_KEY_FORM);
    expect(await findKey(ground.mongo, secret)).toMatchObject({
      _id: made['id'],
      merchant_id: ground.merchant,
      name: 'Till 2',
      last4: secret.slice(-4),
    });
    const entries = await entriesAbout(ground.mongo, made['id']);
    expect(entries).toMatchObject([{ action: 'key.create', merchant_id: ground.merchant }]);
    const kept = JSON.stringify([await read(made['id']), entries]);
    expect(kept).not.toContain(secret.slice(8, 20));
    expect(JSON.stringify(entries)).not.toContain((await read(made['id'])).hash);
  });

  it.each<[string, object, string, string]>([
    ['an unknown merchant', { merchant: 'mer_1' }, 'resource_missing', 'merchant'],
    ['another mode', { mode: 'demo' }, 'parameter_invalid', 'mode'],
    ['an empty name', { name: '' }, 'parameter_invalid', 'name'],
    ['a name of spaces', { name: '  ' }, 'parameter_invalid', 'name'],
    ['a name with a control character', { name: 'a\u001b[2J' }, 'parameter_invalid', 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'parameter_invalid', 'name'],
  ])('refuses %s, and writes nothing', async (_, over, code, param) => {
    const before = await ground.mongo.keys.countDocuments();
    expect(await refusalOf(create(over))).toEqual([code, param]);
    expect(await ground.mongo.keys.countDocuments()).toBe(before);
  });

  it.each(['a', 'x'.repeat(100), 'Սերվեր 1'])('takes the name %s', async (name) => {
    expect(await create({ name })).toMatchObject({ name });
  });

  it('refuses one more than may be active in a mode, and counts none that is over', async () => {
    const over = await create();
    await revoke(over['id']);
    const expired = await create();
    await ground.mongo.keys.updateOne(
      { _id: String(expired['id']) },
      { $set: { expires_at: new Date(Date.now() - 1) } },
    );
    for (let n = 0; n < MAX_ACTIVE_KEYS; n += 1) await create();
    expect(await refusalOf(create())).toEqual(['parameter_invalid', 'mode']);
    expect(await countActive()).toBe(MAX_ACTIVE_KEYS);
    expect(await create({ mode: 'live' })).toMatchObject({ mode: 'live' });
  });

  it('keeps the limit when operators on two machines create at once', async () => {
    const other = await openMongo(ground.at);
    const spare = 3;
    for (let n = spare; n < MAX_ACTIVE_KEYS; n += 1) await create();
    const many = Array.from({ length: 12 }, async (_, n) => {
      const services = { ...ground.services, mongo: n % 2 ? other : ground.mongo };
      const options = { merchant: ground.merchant, mode: 'test' };
      const made = insist(async () => createKey(services, options));
      return made.then(
        () => true,
        () => false,
      );
    });
    const made = await Promise.all(many);
    await other.close();
    expect(made.filter(Boolean)).toHaveLength(spare);
    expect(await countActive()).toBe(MAX_ACTIVE_KEYS);
  });
});

describe('rollKey', () => {
  it.each([
    ['1h', HOUR_MS],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
  ])('lets both keys work for %s', async (overlap, overlapMs) => {
    const old = await create({ mode: 'live', name: 'Till' });
    const made = await roll(old['id'], overlap);
    expect(made).toMatchObject({ mode: 'live', name: 'Till', replaces: old['id'] });
    const { created_at: from } = await read(made['id']);
    const until = new Date(from.getTime() + overlapMs);
    expect(made['old_key_works_until']).toBe(until.toISOString());
    const ending = await findKey(ground.mongo, String(old['api_key']));
    expect(ending).toMatchObject({ expires_at: until, revoked_at: null });
    expect(isKeyOver(ending!, new Date(until.getTime() - 1))).toBe(false);
    expect(isKeyOver(ending!, until)).toBe(true);
    expect(isKeyOver(await read(made['id']), new Date(until.getTime() + 1))).toBe(false);
  });

  it('revokes the old key at once without an overlap', async () => {
    const old = await create();
    const made = await roll(old['id'], '0');
    expect(made['old_key_works_until']).toBeNull();
    expect((await read(old['id'])).revoked_at).toBeInstanceOf(Date);
    expect(await countActive()).toBe(1);
  });

  it('goes on record for the old key and the new one, without a secret', async () => {
    const old = await create();
    const made = await roll(old['id']);
    expect(await actions(old['id'])).toEqual(['key.create', 'key.roll']);
    const [creation, ...more] = await entriesAbout(ground.mongo, made['id']);
    expect(more).toEqual([]);
    expect(creation).toMatchObject({ action: 'key.create', after: { replaces: old['id'] } });
  });

  it('rolls a key from before keys had names', async () => {
    const { id } = await oldKey();
    expect(await roll(id)).toMatchObject({ name: null, mode: 'test', replaces: id });
  });

  it('makes one new key of two rolls of the same key at once', async () => {
    const old = await create();
    const rolls = Array.from({ length: 5 }, async () => insist(async () => roll(old['id'])));
    const settled = await Promise.allSettled(rolls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.filter((each) => each.status === 'rejected');
    for (const { reason } of refused) expect(String(reason)).toContain('about to end');
    expect(await ground.mongo.keys.countDocuments({ merchant_id: ground.merchant })).toBe(2);
    expect(await actions(old['id'])).toEqual(['key.create', 'key.roll']);
  });

  it.each<[string, (id: unknown) => Promise<unknown>]>([
    ['revoked', async (id) => revoke(id)],
    ['about to end', async (id) => roll(id)],
  ])('refuses a key that is %s, and changes nothing', async (_, end) => {
    const { id } = await create();
    await end(id);
    const before = await list();
    expect(await refusalOf(roll(id, '0'))).toEqual(['parameter_invalid', 'id']);
    expect(await list()).toEqual(before);
  });

  it('refuses one more than may be active, unless the old key ends at once', async () => {
    const { id } = await create();
    for (let n = 1; n < MAX_ACTIVE_KEYS; n += 1) await create();
    expect(await refusalOf(roll(id))).toEqual(['parameter_invalid', 'mode']);
    expect(await read(id)).toMatchObject({ revoked_at: null, expires_at: null });
    await roll(id, '0');
    expect(await countActive()).toBe(MAX_ACTIVE_KEYS);
  });

  it('refuses another overlap', async () => {
    const { id } = await create();
    expect(await refusalOf(roll(id, '2h'))).toEqual(['parameter_invalid', 'overlap']);
  });
});

describe('revokeKey', () => {
  it('revokes a key once: again it shows the same, and nothing more goes on record', async () => {
    const { id } = await create();
    const first = await revoke(id);
    expect(first['revoked_at']).toBeInstanceOf(Date);
    expect(await revoke(id)).toEqual(first);
    const atOnce = await Promise.all(Array.from({ length: 5 }, async () => revoke(id)));
    for (const each of atOnce) expect(each).toEqual(first);
    expect(await actions(id)).toEqual(['key.create', 'key.revoke']);
  });

  it('ends a key that is about to end, at once', async () => {
    const { id } = await create();
    await roll(id, '7d');
    await revoke(id);
    expect(isKeyOver(await read(id), new Date(0))).toBe(true);
  });

  it('revokes a key from before keys had names', async () => {
    const { id } = await oldKey();
    expect(await revoke(id)).toMatchObject({ id, name: null, expires_at: null });
  });
});

describe('a key of another merchant', () => {
  it('is not there: it can be neither rolled nor revoked', async () => {
    const { id } = await create();
    const other = await ground.hire();
    const before = await read(id);
    for (const [key, merchant] of [
      [id, other],
      [mintId('key'), ground.merchant],
      ['', ground.merchant],
    ] as const) {
      expect(await refusalOf(revoke(key, merchant))).toEqual(['resource_missing', 'id']);
      expect(await refusalOf(roll(key, '0', merchant))).toEqual(['resource_missing', 'id']);
    }
    expect(await read(id)).toEqual(before);
    const { keys } = await showKeys(ground.services, { merchant: other });
    expect(keys).toEqual([]);
  });
});

describe('showKeys', () => {
  it('shows every active key and the newest 20 others, newest first, without a secret', async () => {
    const active = await create({ name: 'first' });
    const { id: legacy } = await oldKey();
    const over: unknown[] = [];
    for (let n = 0; n < 22; n += 1) {
      const { id } = await create();
      await revoke(id);
      over.unshift(id);
    }
    const { keys } = await list();
    expect(keys.map(({ id }) => id)).toEqual([...over.slice(0, 20), legacy, active['id']]);
    expect(Object.keys(keys[0]!)).toEqual([
      'id',
      'name',
      'mode',
      'last4',
      'created_at',
      'last_used_at',
      'expires_at',
      'revoked_at',
    ]);
    expect(keys.at(-1)).toMatchObject({ name: 'first', last4: active['last4'] });
    expect(JSON.stringify(keys)).not.toContain((await read(active['id'])).hash);
  });

  it('shows the keys of one mode, and refuses what is no mode or no merchant', async () => {
    const { id } = await create({ mode: 'live' });
    await create();
    expect((await list('live')).keys).toMatchObject([{ id }]);
    expect(await refusalOf(list('demo'))).toEqual(['parameter_invalid', 'mode']);
    const unknown = showKeys(ground.services, { merchant: 'mer_1' });
    expect(await refusalOf(unknown)).toEqual(['resource_missing', 'merchant']);
  });
});
