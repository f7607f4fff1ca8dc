import { describe, expect, it } from 'vitest';
import { API_KEY_FORM, MAX_ACTIVE_KEYS, isKeyOver } from '../../domain/merchant.ts';
import { createKey, showKeys } from '../../operations/keys.ts';
import { hashOfKey } from '../../store/keys.ts';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import { entriesAbout } from '../support/audit.ts';
import { retryUnavailable } from '../support/retry.ts';
import { refusalOf } from './endpoints.ts';
import { useGround } from './ground.ts';
import { makeKeyring } from './keyring.ts';

const ground = await useGround('operations_keys');
const { create, roll, revoke, list, read, actions, countActive, oldKey } = makeKeyring(ground);

describe('createKey', () => {
  it('shows the secret of a new key, and does not store it', async () => {
    const made = await create({ mode: 'live', name: 'Till 2' });
    expect(made).toMatchObject({ name: 'Till 2', mode: 'live', expires_at: null });
    const secret = String(made['api_key']);
    expect(secret).toMatch(API_KEY_FORM);
    expect(await ground.mongo.keys.findOne({ hash: hashOfKey(secret) ?? '' })).toMatchObject({
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

  it.each(['a', 'x'.repeat(100), 'Սերվեր 1'])('accepts the name %s', async (name) => {
    expect(await create({ name })).toMatchObject({ name });
  });

  it('refuses more active keys than the limit, not counting revoked or expired ones', async () => {
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
      const made = retryUnavailable(async () => createKey(services, options));
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

describe('revokeKey', () => {
  it('revokes a key once: a repeat returns the same key, and records nothing', async () => {
    const { id } = await create();
    const first = await revoke(id);
    expect(first['revoked_at']).toBeInstanceOf(Date);
    expect(await revoke(id)).toEqual(first);
    const atOnce = await Promise.all(Array.from({ length: 5 }, async () => revoke(id)));
    for (const each of atOnce) expect(each).toEqual(first);
    expect(await actions(id)).toEqual(['key.create', 'key.revoke']);
  });

  it('revokes at once a key that is about to expire', async () => {
    const { id } = await create();
    await roll(id, '7d');
    await revoke(id);
    expect(isKeyOver(await read(id), new Date(0))).toBe(true);
  });

  it('revokes a key that was created before keys had names', async () => {
    const { id } = await oldKey();
    expect(await revoke(id)).toMatchObject({ id, name: null, expires_at: null });
  });
});

describe('a key of another merchant', () => {
  it('can be neither rolled nor revoked', async () => {
    const { id } = await create();
    const other = await ground.addMerchant();
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

  it('shows the keys of one mode, and refuses an unknown mode or merchant', async () => {
    const { id } = await create({ mode: 'live' });
    await create();
    expect((await list('live')).keys).toMatchObject([{ id }]);
    expect(await refusalOf(list('demo'))).toEqual(['parameter_invalid', 'mode']);
    const unknown = showKeys(ground.services, { merchant: 'mer_1' });
    expect(await refusalOf(unknown)).toEqual(['resource_missing', 'merchant']);
  });
});
