import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SETTLED_MS } from '../../store/stats.ts';
import { useDatabase } from '../store/database.ts';
import { idAt } from '../support/history.ts';
import { makePayment } from '../support/rows/payment.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { tollgate } from './command.ts';

const { mongo, uri, name } = await useDatabase('cli-stats');
const env = {
  MONGODB_URI: withDatabase(uri, name),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

describe('tollgate stats rebuild', () => {
  it('counts all payments and events again', async () => {
    const _id = idAt('payment', Date.now() - SETTLED_MS - 60_000);
    await mongo.payments.insertOne(makePayment({ _id }));
    for (const rows_deleted of [0, 1]) {
      const { code, stdout, stderr } = await tollgate(['stats', 'rebuild', '--json'], env);
      expect([code, stderr]).toEqual([0, '']);
      const counted = { rebuild: 'begun', events: 0, payments: 1, rows_deleted };
      expect(JSON.parse(stdout)).toEqual(counted);
    }
    expect((await mongo.dayStats.find({}).toArray()).map(({ counts }) => counts)).toEqual([
      { created: 1 },
    ]);
  });
});
