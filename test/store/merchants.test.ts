import { describe, expect, it } from 'vitest';
import { makeKey } from '../../store/keys.ts';
import { findMerchant, insertMerchant } from '../../store/merchants.ts';
import { mintId } from '../../store/mint.ts';
import { duplicateOf } from '../../store/mongo.ts';
import { at } from '../domain/situation.ts';
import { entriesAbout, makeEntry } from '../support/audit.ts';
import { rejection, useDatabase } from './database.ts';

const database = await useDatabase('merchants');

function makeMerchant(email: string) {
  const merchant = {
    _id: mintId('merchant'),
    name: 'Shop',
    locale: 'hy' as const,
    created_at: at(0),
  };
  const user = {
    _id: mintId('user'),
    merchant_id: merchant._id,
    email,
    password_hash: 'hash',
    created_at: at(0),
  };
  const { key } = makeKey(merchant._id, 'test', at(0));
  const entries = [makeEntry({ action: 'merchant.create', objectId: merchant._id })];
  return { merchant, user, key, entries };
}

describe('insertMerchant', () => {
  it('writes nothing if the e-mail address is taken', async () => {
    const { mongo } = database;
    await insertMerchant(mongo, makeMerchant('a@shop.example'));
    const { merchant, user, key, entries } = makeMerchant('a@shop.example');
    const error = await rejection(insertMerchant(mongo, { merchant, user, key, entries }));
    expect(duplicateOf(error)).toBe('email');
    expect(await findMerchant(mongo, merchant._id)).toBeNull();
    expect(await mongo.keys.findOne({ _id: key._id })).toBeNull();
    expect(await entriesAbout(mongo, merchant._id)).toEqual([]);
  });

  it('inserts merchant, user, key and audit entries', async () => {
    const { mongo } = database;
    const { merchant, user, key, entries } = makeMerchant('b@shop.example');
    await insertMerchant(mongo, { merchant, user, key, entries });
    expect(await findMerchant(mongo, merchant._id)).toEqual(merchant);
    expect(await mongo.users.findOne({ email: user.email })).toEqual(user);
    expect(await mongo.keys.findOne({ _id: key._id })).toEqual(key);
    expect(await entriesAbout(mongo, merchant._id)).toEqual(entries);
  });
});
