import { describe, expect, it } from 'vitest';
import { MAX_ACTIVE_KEYS, isKeyOver } from '../../domain/merchant.ts';
import { hashOfKey } from '../../store/keys.ts';
import { entriesAbout } from '../support/audit.ts';
import { retryUnavailable } from '../support/retry.ts';
import { refusalOf } from './endpoints.ts';
import { useGround } from './ground.ts';
import { makeKeyring } from './keyring.ts';

const ground = await useGround('operations_roll');
const { create, roll, revoke, list, read, actions, countActive, oldKey } = makeKeyring(ground);
const HOUR_MS = 60 * 60 * 1000;

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
    const ending = await ground.mongo.keys.findOne({
      hash: hashOfKey(String(old['api_key'])) ?? '',
    });
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

  it('is recorded for the old key and the new one, without a secret', async () => {
    const old = await create();
    const made = await roll(old['id']);
    expect(await actions(old['id'])).toEqual(['key.create', 'key.roll']);
    const [creation, ...more] = await entriesAbout(ground.mongo, made['id']);
    expect(more).toEqual([]);
    expect(creation).toMatchObject({ action: 'key.create', after: { replaces: old['id'] } });
  });

  it('rolls a key that was created before keys had names', async () => {
    const { id } = await oldKey();
    expect(await roll(id)).toMatchObject({ name: null, mode: 'test', replaces: id });
  });

  it('makes only one new key if the same key is rolled twice at once', async () => {
    const old = await create();
    const rolls = Array.from({ length: 5 }, async () =>
      retryUnavailable(async () => roll(old['id'])),
    );
    const settled = await Promise.allSettled(rolls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.filter((each) => each.status === 'rejected');
    for (const { reason } of refused) expect(String(reason)).toContain('about to end');
    expect(await ground.mongo.keys.countDocuments({ merchant_id: ground.merchant })).toBe(2);
    expect(await actions(old['id'])).toEqual(['key.create', 'key.roll']);
  });

  it.each<[string, (id: unknown) => Promise<unknown>]>([
    ['revoked', async (id) => revoke(id)],
    ['about to expire', async (id) => roll(id)],
  ])('refuses a key that is %s, and changes nothing', async (_, end) => {
    const { id } = await create();
    await end(id);
    const before = await list();
    expect(await refusalOf(roll(id, '0'))).toEqual(['parameter_invalid', 'id']);
    expect(await list()).toEqual(before);
  });

  it('refuses more active keys than the limit, unless the old key expires at once', async () => {
    const { id } = await create();
    for (let n = 1; n < MAX_ACTIVE_KEYS; n += 1) await create();
    expect(await refusalOf(roll(id))).toEqual(['parameter_invalid', 'mode']);
    expect(await read(id)).toMatchObject({ revoked_at: null, expires_at: null });
    await roll(id, '0');
    expect(await countActive()).toBe(MAX_ACTIVE_KEYS);
  });

  it('refuses an unknown overlap', async () => {
    const { id } = await create();
    expect(await refusalOf(roll(id, '2h'))).toEqual(['parameter_invalid', 'overlap']);
  });
});
