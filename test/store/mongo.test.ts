import { describe, expect, it } from 'vitest';
import { duplicateOf, isUnavailable, openMongo } from '../../store/mongo.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makePayment } from '../support/rows/payment.ts';
import { rejection, useDatabase } from './database.ts';

const database = await useDatabase('mongo');

describe('openMongo', () => {
  it('rejects within 3 s without a server, with an error that is `unavailable`', async () => {
    const begun = Date.now();
    const error = await rejection(openMongo({ uri: 'mongodb://127.0.0.1:1/?replicaSet=none' }));
    expect(isUnavailable(error)).toBe(true);
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  it('creates nothing in the database', async () => {
    const commands: string[] = [];
    const monitor = (command: string) => commands.push(command);
    const mongo = await openMongo({ uri: database.uri, dbName: database.name, monitor });
    await mongo.ping();
    await mongo.close();
    expect(commands).toEqual(['ping', 'endSessions']);
  });

  it('responds to a ping until it is closed', async () => {
    const mongo = await openMongo({ uri: database.uri, dbName: database.name });
    await mongo.ping();
    await mongo.close();
    expect(isUnavailable(await rejection(mongo.ping()))).toBe(true);
  });
});

describe('isUnavailable', () => {
  it('is true for the code of a broken connection, in an error of any class', () => {
    expect(isUnavailable({ name: 'Error', code: 'EPIPE', message: 'ended' })).toBe(true);
    for (const other of [null, undefined, 'EPIPE', { code: 11_000 }, new Error('EPIPE')]) {
      expect(isUnavailable(other)).toBe(false);
    }
  });
});

describe('transact', () => {
  it('writes nothing if its body throws, and rejects with that error', async () => {
    const { mongo } = database;
    const fault = new Error('halfway');
    const [a, b] = [makePayment(), makePayment()];
    const aborted = mongo.transact(async (session) => {
      await mongo.payments.insertOne(a, { session });
      await mongo.payments.insertOne(b, { session });
      throw fault;
    });
    expect(await rejection(aborted)).toBe(fault);
    expect(await mongo.payments.countDocuments({ _id: { $in: [a._id, b._id] } })).toBe(0);
  });

  it('writes nothing if an index refuses a part', async () => {
    const { mongo } = database;
    const [a, b] = [makePayment(), makePayment()];
    const taken = { ...makePayment(), checkout_token: b.checkout_token };
    await mongo.payments.insertOne(taken);
    const refused = mongo.transact(async (session) => {
      await mongo.payments.insertOne(a, { session });
      await mongo.payments.insertOne(b, { session });
    });
    expect(duplicateOf(await rejection(refused))).toBe('checkout_token');
    expect(await mongo.payments.countDocuments({ _id: a._id })).toBe(0);
  });

  it('shows no write before its commit', async () => {
    const { mongo } = database;
    const row = makePayment();
    const seen = await mongo.transact(async (session) => {
      await mongo.payments.insertOne(row, { session });
      return mongo.payments.countDocuments({ _id: row._id });
    });
    expect(seen).toBe(0);
    expect(await mongo.payments.countDocuments({ _id: row._id })).toBe(1);
  });

  it('repeats its body after a conflict, so that no change is lost', async () => {
    const { mongo } = database;
    const row = makePayment({ amount: 0 });
    await mongo.payments.insertOne(row);
    const add = async (): Promise<void> =>
      mongo.transact(async (session) => {
        const read = await mongo.payments.findOne({ _id: row._id }, { session });
        const amount = (read?.amount ?? 0) + 1;
        await mongo.payments.updateOne({ _id: row._id }, { $set: { amount } }, { session });
      });
    await Promise.all(Array.from({ length: 8 }, async () => retryUnavailable(add)));
    expect((await mongo.payments.findOne({ _id: row._id }))?.amount).toBe(8);
  });
});

describe('duplicateOf', () => {
  it.each([new Error('another'), undefined, { code: 11_000, keyPattern: { m: 1 } }])(
    'returns undefined for an error that no index caused',
    (error) => expect(duplicateOf(error)).toBeUndefined(),
  );
});

describe('isUnavailable', () => {
  it.each([new Error('another'), undefined, 'MongoNetworkError'])('is false for %s', (error) => {
    expect(isUnavailable(error)).toBe(false);
  });

  it('is false for a refusal by the server', async () => {
    const row = makePayment();
    await database.mongo.payments.insertOne(row);
    const refusal = await rejection(database.mongo.payments.insertOne(row));
    expect(isUnavailable(refusal)).toBe(false);
  });
});
