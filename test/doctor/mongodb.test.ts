/** MongoDB with wrong settings: a proxy replies in place of the real server. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import type { ProblemCode } from '../../doctor/problems.ts';
import { migrateIndexes } from '../../store/migrate.ts';
import { useDatabase } from '../store/database.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { failing, openWire } from '../support/servers/wire.ts';
import type { Rule } from '../support/servers/wire.ts';
import { codesOf, doctor, environment, expectProblem } from './examined.ts';

const database = await useDatabase('doctor-mongodb');
const real = withDatabase(database.uri, database.name);
const wire = closeAfterTests(await openWire(real));
const PASSWORD = randomBytes(8).toString('hex');

beforeEach(async () => {
  wire.setRules();
  await database.mongo.endpoints.deleteMany({});
});

/** Returns a rule that changes the server's own reply to the command. */
const changed = (command: string, change: (found: Document) => Document): Rule => ({
  commands: [command],
  reply: (found) => ({ ...found, ...change(found) }),
});

const privileges = (...authenticatedUserPrivileges: Document[]): Document => ({
  ok: 1,
  authInfo: {
    authenticatedUsers: [{ user: 'tollgate', db: 'admin' }],
    authenticatedUserRoles: [{ role: 'readWrite', db: 'tollgate' }],
    authenticatedUserPrivileges,
  },
});

const MINUTE_MS = 60_000;
const ahead = (ms: number) => () => ({ localTime: new Date(Date.now() + ms) });

/** A broken setting of the server, and the problem that the doctor reports. */
const BROKEN: readonly [ProblemCode, Rule, RegExp][] = [
  ['mongodb_too_old', changed('buildInfo', () => ({ version: '5.0.31' })), /5\.0\.31/],
  ['mongodb_standalone', changed('hello', () => ({ setName: undefined })), /replica set/],
  [
    'mongodb_member_down',
    {
      commands: ['replSetGetStatus'],
      reply: {
        ok: 1,
        members: [
          { name: 'db1:27017', health: 1, stateStr: 'PRIMARY' },
          { name: 'db2:27017', health: 0, stateStr: '(not reachable/healthy)' },
        ],
      },
    },
    /db2:27017/,
  ],
  [
    'mongodb_majority_missing',
    {
      commands: ['find'],
      collection: 'merchants',
      reply: (found, { readConcern }) =>
        readConcern.level === 'majority' ? failing(50, 'MaxTimeMSExpired') : found,
    },
    /No majority/,
  ],
  [
    'mongodb_rights_missing',
    {
      commands: ['connectionStatus'],
      reply: privileges({ resource: { db: '', collection: '' }, actions: ['find'] }),
    },
    /insert, update, remove/,
  ],
  [
    'transactions_too_long',
    { commands: ['getParameter'], reply: { ok: 1, transactionLifetimeLimitSeconds: 600 } },
    /600 s/,
  ],
  [
    'transactions_too_short',
    { commands: ['getParameter'], reply: { ok: 1, transactionLifetimeLimitSeconds: 1 } },
    /1 s/,
  ],
  [
    'mongodb_disk_low',
    changed('dbStats', () => ({ fsTotalSize: 100 * 2 ** 30, fsUsedSize: 90 * 2 ** 30 })),
    /10\.0 of 100\.0 GiB/,
  ],
  [
    'mongodb_disk_full',
    changed('dbStats', () => ({ fsTotalSize: 100 * 2 ** 30, fsUsedSize: 99 * 2 ** 30 })),
    /1\.0 of 100\.0 GiB/,
  ],
  ['clock_off', changed('hello', ahead(10_000)), /ahead of this one/],
  ['clock_wrong', changed('hello', ahead(-5 * MINUTE_MS)), /behind this one/],
];

describe('MongoDB', () => {
  it('has no problem with the settings of the tests', async () => {
    const codes = codesOf(await doctor(environment({ MONGODB_URI: wire.uri })));
    expect(
      codes.filter((code) => code?.startsWith('mongodb') || code?.startsWith('clock')),
    ).toEqual([]);
  });

  it.each(BROKEN)('is reported as %s', async (code, rule, words) => {
    wire.setRules(rule);
    const findings = await doctor(environment({ MONGODB_URI: wire.uri }));
    expect(expectProblem(findings, code)).toMatch(words);
  });

  it('is checked as far as the rights of the user go', async () => {
    const commands = ['replSetGetStatus', 'getParameter', 'dbStats'];
    wire.setRules(
      ...commands.map((name) => ({ commands: [name], reply: failing(13, 'Unauthorized') })),
      { commands: ['connectionStatus'], reply: privileges() },
    );
    const findings = await doctor(environment({ MONGODB_URI: wire.uri }));
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(states).toMatchObject({
      'mongodb.replica_set': 'ok',
      // The server names the user's roles, but not what they allow.
      'mongodb.rights': 'skipped',
      'mongodb.transactions': 'skipped',
      'mongodb.indexes': 'ok',
    });
  });

  it.each<[ProblemCode, string]>([
    ['mongodb_unreachable', 'mongodb://127.0.0.1:1/tollgate'],
    ['mongodb_uri_invalid', `mongodb://tollgate:${PASSWORD}/@@db1/tollgate`],
    ['mongodb_no_primary', `${real}?replicaSet=another`],
  ])('is reported as %s with the address %s', async (code, uri) => {
    const findings = await doctor(environment({ MONGODB_URI: uri }));
    expectProblem(findings, code);
    expect(JSON.stringify(findings)).not.toContain(PASSWORD);
    expect(findings.find(({ check }) => check === 'mongodb.indexes')?.state).toBe('skipped');
  });

  it('is reported as mongodb_login_refused with a wrong password, which is not printed', async () => {
    wire.setRules({ commands: ['saslStart'], reply: failing(18, 'AuthenticationFailed') });
    const uri = wire.uri.replace('//', `//tollgate:${PASSWORD}@`);
    const findings = await doctor(environment({ MONGODB_URI: uri }));
    expectProblem(findings, 'mongodb_login_refused');
    expect(JSON.stringify(findings)).not.toContain(PASSWORD);
  });
});

describe('the database', () => {
  it('is reported if an index is missing, and if an old one could refuse writes', async () => {
    const users = database.raw.collection('users');
    try {
      await users.dropIndex('email_1');
      const missing = await doctor(environment({ MONGODB_URI: real }));
      expect(expectProblem(missing, 'indexes_missing')).toBe('users.email_1 is missing.');
      await migrateIndexes(database.mongo);
      await users.createIndex({ email: 1, merchant_id: 1 }, { name: 'email_1_2', unique: true });
      const obsolete = await doctor(environment({ MONGODB_URI: real }));
      expect(expectProblem(obsolete, 'indexes_obsolete')).toBe('users.email_1_2 is obsolete.');
    } finally {
      await migrateIndexes(database.mongo);
    }
  });

  it('is reported if a secret needs a key that is not configured', async () => {
    const endpoint = makeEndpoint({ m: 'mer_1:test' });
    await database.mongo.endpoints.insertOne(endpoint);
    const findings = await doctor(environment({ MONGODB_URI: real }));
    const found = expectProblem(findings, 'encryption_keys_missing');
    expect(found).toContain(endpoint._id);
    expect(found).toContain(endpoint.secret.slice(0, 8));
  });

  it('has the same documents after the checks', async () => {
    await database.mongo.endpoints.insertOne(makeEndpoint({ m: 'mer_1:test' }));
    const read = async () =>
      Promise.all(
        (await database.raw.collections()).map(async (each) => [
          each.collectionName,
          await each.find().toArray(),
          await each.indexes(),
        ]),
      );
    const before = await read();
    await doctor(environment({ MONGODB_URI: wire.uri }));
    expect(await read()).toEqual(before);
    const written = ['insert', 'update', 'delete', 'createIndexes', 'create', 'drop'];
    expect(wire.seen.filter((command) => written.includes(command))).toEqual([]);
  });
});
