/** The operations of merchants and operators, with a database for the test file. */
import { beforeEach } from 'vitest';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { KeyServices } from '../../operations/keys.ts';
import { useDatabase } from '../store/database.ts';
import { ACTOR } from '../support/audit.ts';

export interface Ground {
  services: KeyServices;
  mongo: Mongo;
  /** The address at which another process opens the same database. */
  at: { uri: string; dbName: string };
  /** The merchant of the test. */
  merchant: string;
  /** Stores another merchant, and returns its id. */
  addMerchant(): Promise<string>;
}

/** Opens a database for the calling file. Each test has a merchant of its own. */
export async function useGround(file: string): Promise<Ground> {
  const { mongo, uri, name } = await useDatabase(file);
  const ground: Ground = {
    mongo,
    services: { mongo, actor: ACTOR },
    at: { uri, dbName: name },
    merchant: '',
    async addMerchant() {
      const _id = mintId('merchant');
      const named = { name: 'Shop', locale: 'en' as const, created_at: new Date() };
      await mongo.merchants.insertOne({ _id, ...named });
      return _id;
    },
  };
  beforeEach(async () => {
    ground.merchant = await ground.addMerchant();
  });
  return ground;
}
