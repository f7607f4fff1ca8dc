/** What merchants and operators do: a database of the file's own, and a merchant of each test's. */
import { beforeAll, beforeEach } from 'vitest';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { KeyServices } from '../../operations/keys.ts';
import { useDatabase } from '../store/database.ts';
import { ACTOR } from '../support/audit.ts';

export interface Ground {
  services: KeyServices;
  mongo: Mongo;
  /** Where another process opens the same database. */
  at: { uri: string; dbName: string };
  /** The merchant of the test. */
  merchant: string;
  /** Stores another merchant; returns its id. */
  hire(): Promise<string>;
}

/** The ground of a test file, complete when its tests begin. */
export function useGround(file: string): Ground {
  const database = useDatabase(file);
  const ground = {
    async hire() {
      const _id = mintId('merchant');
      const named = { name: 'Shop', locale: 'en' as const, created_at: new Date() };
      await ground.mongo.merchants.insertOne({ _id, ...named });
      return _id;
    },
  } as Ground;
  beforeAll(() => {
    ground.mongo = database.mongo;
    ground.services = { mongo: ground.mongo, actor: ACTOR };
    ground.at = { uri: database.uri, dbName: database.name };
  });
  beforeEach(async () => {
    ground.merchant = await ground.hire();
  });
  return ground;
}
