/** Short calls that create, end and read the API keys of each test's merchant. */
import { isKeyOver } from '../../domain/merchant.ts';
import type { ApiKey } from '../../domain/merchant.ts';
import { createKey, revokeKey, rollKey, showKeys } from '../../operations/keys.ts';
import { makeKey } from '../../store/keys.ts';
import { entriesAbout } from '../support/audit.ts';
import type { Ground } from './ground.ts';

export function makeKeyring(ground: Ground) {
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
  /** Returns the recorded actions on a key, oldest first. */
  const actions = async (id: unknown) =>
    (await entriesAbout(ground.mongo, id)).map(({ action }) => action);
  const countActive = async (mode = 'test'): Promise<number> => {
    const keys = await ground.mongo.keys.find({ merchant_id: ground.merchant }).toArray();
    return keys.filter((key) => key.mode === mode && !isKeyOver(key, new Date())).length;
  };

  /** Stores a key from before keys had names and ends. */
  async function oldKey(): Promise<{ id: string; secret: string }> {
    const { key, secret } = makeKey(ground.merchant, 'test', new Date());
    const { expires_at: _, ...row } = key;
    await ground.mongo.keys.insertOne(row);
    return { id: row._id, secret };
  }

  return { create, roll, revoke, list, read, actions, countActive, oldKey };
}
