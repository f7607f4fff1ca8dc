/**
 * The replies of a replica set during an election, a shutdown or a delay, through the real driver.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable, openMongo } from '../../store/mongo.ts';
import { makePayment } from '../support/rows/payment.ts';
import { failing, failingLate, openWire, unconfirmed } from '../support/servers/wire.ts';
import { rejection, useDatabase } from './database.ts';
import { closeAfterTests } from '../support/close.ts';

const database = await useDatabase('elections');

const wire = closeAfterTests(await openWire(database.uri));
const mongo = closeAfterTests(await openMongo({ uri: wire.uri, dbName: database.name }));
beforeEach(() => {
  wire.setRules();
  wire.seen.length = 0;
});

const count = (name: string): number => wire.seen.filter((each) => each === name).length;

/** The ways in which we use the database, each with the command that fails. */
const WAYS: Readonly<Record<string, readonly [command: string, act: () => Promise<unknown>]>> = {
  'a read': ['find', async () => mongo.payments.findOne({ _id: 'pay_1' })],
  'a write that the driver may repeat': [
    'insert',
    async () => mongo.payments.insertOne(makePayment()),
  ],
  'a write that it may not repeat': [
    'update',
    async () => mongo.payments.updateMany({ _id: 'pay_1' }, { $set: { amount: 1 } }),
  ],
  'a write of several documents': [
    'insert',
    async () => mongo.payments.insertMany([makePayment(), makePayment()]),
  ],
  'a write in a transaction': [
    'insert',
    async () =>
      mongo.transact(async (session) => mongo.payments.insertOne(makePayment(), { session })),
  ],
  'a commit': [
    'commitTransaction',
    async () =>
      mongo.transact(async (session) => mongo.payments.insertOne(makePayment(), { session })),
  ],
  'a ping': ['ping', async () => mongo.ping()],
};

const PASSING: readonly (readonly [code: number, name: string])[] = [
  [6, 'HostUnreachable'],
  [7, 'HostNotFound'],
  [24, 'LockTimeout'],
  [43, 'CursorNotFound'],
  [50, 'MaxTimeMSExpired'],
  [64, 'WriteConcernTimeout'],
  [89, 'NetworkTimeout'],
  [91, 'ShutdownInProgress'],
  [133, 'FailedToSatisfyReadPreference'],
  [134, 'ReadConcernMajorityNotAvailableYet'],
  [175, 'QueryPlanKilled'],
  [189, 'PrimarySteppedDown'],
  [202, 'NetworkInterfaceExceededTimeLimit'],
  [237, 'CursorKilled'],
  [262, 'ExceededTimeLimit'],
  [290, 'TransactionExceededLifetimeLimitSeconds'],
  [365, 'TemporarilyUnavailable'],
  [9_001, 'SocketException'],
  [10_058, 'LegacyNotPrimary'],
  [10_107, 'NotWritablePrimary'],
  [11_600, 'InterruptedAtShutdown'],
  [11_601, 'Interrupted'],
  [11_602, 'InterruptedDueToReplStateChange'],
  [13_435, 'NotPrimaryNoSecondaryOk'],
  [13_436, 'NotPrimaryOrSecondary'],
];

/** Faults of our code or of the set-up, which no retry fixes. */
const LASTING: readonly (readonly [code: number, name: string])[] = [
  [1, 'InternalError'],
  [2, 'BadValue'],
  [9, 'FailedToParse'],
  [13, 'Unauthorized'],
  [14, 'TypeMismatch'],
  [18, 'AuthenticationFailed'],
  [59, 'CommandNotFound'],
  [79, 'UnknownReplWriteConcern'],
  [100, 'UnsatisfiableWriteConcern'],
  [121, 'DocumentValidationFailure'],
  [10_334, 'BSONObjectTooLarge'],
];

describe.each(PASSING)('%i %s without a label counts as unavailable', (code, name) => {
  it.each(Object.entries(WAYS))('for %s', async (_, [command, act]) => {
    wire.setRules({ commands: [command], reply: failing(code, name) });
    const error = await rejection(act());
    expect([error, isUnavailable(error)]).toEqual([expect.objectContaining({ code }), true]);
  });
});

describe.each(LASTING)('%i %s is a permanent fault', (code, name) => {
  it.each(Object.entries(WAYS))('for %s', async (_, [command, act]) => {
    wire.setRules({ commands: [command], reply: failing(code, name) });
    const error = await rejection(act());
    expect([error, isUnavailable(error)]).toEqual([expect.objectContaining({ code }), false]);
  });
});

describe('the driver repeats', () => {
  it('a read once, after a temporary error', async () => {
    const reply = failing(11_602, 'InterruptedDueToReplStateChange');
    wire.setRules({ commands: ['find'], times: 1, reply });
    expect(await mongo.payments.findOne({ _id: 'pay_1' })).toBeNull();
    expect(count('find')).toBe(2);
  });

  it('a labelled write once: a second failure is `unavailable`', async () => {
    const reply = failing(10_107, 'NotWritablePrimary', 'RetryableWriteError');
    wire.setRules({ commands: ['insert'], reply });
    const error = await rejection(mongo.payments.insertOne(makePayment()));
    expect([count('insert'), isUnavailable(error)]).toEqual([2, true]);
  });

  it('no write without a label', async () => {
    wire.setRules({ commands: ['insert'], reply: failing(10_107, 'NotWritablePrimary') });
    await rejection(mongo.payments.insertOne(makePayment()));
    expect(count('insert')).toBe(1);
  });

  it('a transaction with a label until it succeeds, with one effect', async () => {
    const reply = failing(251, 'NoSuchTransaction', 'TransientTransactionError');
    wire.setRules({ commands: ['insert'], times: 3, reply });
    const row = makePayment();
    await mongo.transact(async (session) => mongo.payments.insertOne(row, { session }));
    expect(count('insert')).toBe(4);
    expect(await mongo.payments.countDocuments({ _id: row._id })).toBe(1);
  });

  it('a commit that a majority may not have yet, with one effect', async () => {
    const reply = unconfirmed(64, 'WriteConcernTimeout');
    wire.setRules({ commands: ['commitTransaction'], times: 2, reply });
    const row = makePayment();
    await mongo.transact(async (session) => mongo.payments.insertOne(row, { session }));
    expect(count('commitTransaction')).toBe(3);
    expect(await mongo.payments.countDocuments({ _id: row._id })).toBe(1);
  });

  it('no commit with an unlabelled error, which is `unavailable`', async () => {
    const reply = failingLate(11_602, 'InterruptedDueToReplStateChange');
    wire.setRules({ commands: ['commitTransaction'], reply });
    const row = makePayment();
    const done = mongo.transact(async (session) => mongo.payments.insertOne(row, { session }));
    expect(isUnavailable(await rejection(done))).toBe(true);
    expect(count('commitTransaction')).toBe(1);
    expect(await database.mongo.payments.countDocuments({ _id: row._id })).toBe(1);
  });
});

describe('a write without the confirmation of a majority', () => {
  it.each([
    [64, 'WriteConcernTimeout', true],
    [91, 'ShutdownInProgress', true],
    [189, 'PrimarySteppedDown', true],
    [11_602, 'InterruptedDueToReplStateChange', true],
    [79, 'UnknownReplWriteConcern', false],
    [100, 'UnsatisfiableWriteConcern', false],
  ] as const)('(%i %s) counts as unavailable: %p', async (code, name, expected) => {
    for (const act of [
      async () => mongo.payments.insertOne(makePayment()),
      async () => mongo.payments.insertMany([makePayment(), makePayment()]),
    ]) {
      wire.setRules({ commands: ['insert'], reply: unconfirmed(code, name) });
      const error = await rejection(act());
      expect([error, isUnavailable(error)]).toEqual([expect.objectContaining({ code }), expected]);
    }
  });

  it('is in the database', async () => {
    wire.setRules({ commands: ['insert'], reply: unconfirmed(64, 'WriteConcernTimeout') });
    const row = makePayment();
    await rejection(mongo.payments.insertOne(row));
    expect(await mongo.payments.countDocuments({ _id: row._id })).toBe(1);
  });
});

describe('a duplicate', () => {
  it('does not count as unavailable', async () => {
    const row = makePayment();
    await mongo.payments.insertOne(row);
    expect(isUnavailable(await rejection(mongo.payments.insertOne(row)))).toBe(false);
  });
});
