import { describe, expect, it } from 'vitest';
import { showAudit } from '../../operations/audit.ts';
import { createKey, revokeKey } from '../../operations/keys.ts';
import { mintId } from '../../store/mint.ts';
import { ACTOR } from '../support/audit.ts';
import { refusalOf } from './endpoints.ts';
import { useGround } from './ground.ts';

const ground = await useGround('operations_audit');
const show = async (options: object) => showAudit(ground.services, { limit: '20', ...options });

describe('showAudit', () => {
  it("pages through a merchant's entries, newest first", async () => {
    const { merchant } = ground;
    const { id } = await createKey(ground.services, { merchant, mode: 'test', name: 'Till' });
    await revokeKey(ground.services, { merchant, id: String(id) });
    const other = await ground.addMerchant();
    await createKey(ground.services, { merchant: other, mode: 'test' });

    const first = await show({ merchant, limit: '1' });
    expect(first).toMatchObject({
      entries: [{ actor: ACTOR, action: 'key.revoke', object: { kind: 'key', id } }],
      has_more: true,
    });
    const startingAfter = String(first.entries[0]?.['id']);
    expect(await show({ merchant, startingAfter })).toMatchObject({
      entries: [{ action: 'key.create', merchant_id: merchant, after: { name: 'Till' } }],
      has_more: false,
    });
    expect((await show({ object: String(id) })).entries).toHaveLength(2);
  });

  it('returns entries from a time on', async () => {
    const { merchant } = ground;
    await createKey(ground.services, { merchant, mode: 'test' });
    const [entry] = (await show({ merchant })).entries;
    const at = entry?.['at'] as Date;
    expect((await show({ merchant, since: at })).entries).toEqual([entry]);
    expect((await show({ merchant, since: new Date(at.getTime() + 1) })).entries).toEqual([]);
  });

  it.each<[string, object, string, string]>([
    ['a limit that is not a number', { limit: 'x' }, 'limit_out_of_range', 'limit'],
    ['a limit of 0', { limit: '0' }, 'limit_out_of_range', 'limit'],
    ['a limit of 101', { limit: '101' }, 'limit_out_of_range', 'limit'],
    ['a malformed merchant id', { merchant: 'mer_1' }, 'parameter_invalid', 'merchant'],
    [
      'a cursor of another list',
      { startingAfter: mintId('key') },
      'cursor_invalid',
      'starting-after',
    ],
  ])('refuses %s', async (_, options, code, param) => {
    expect(await refusalOf(show(options))).toEqual([code, param]);
  });
});
