/** `tollgate migrate`, and the errors of other programs before it has run. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { INDEXES } from '../../store/indexes.ts';
import { useDatabase } from '../store/database.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { openWire } from '../support/servers/wire.ts';
import { startTollgate, tollgate } from './command.ts';
import type { Outcome } from './command.ts';
import { closeAfterTests } from '../support/close.ts';

const database = await useDatabase('cli-migrate');
const ALL = Object.values(INDEXES).flat().length;

const env = { MONGODB_URI: withDatabase(database.uri, database.name) };
const wire = closeAfterTests(await openWire(env.MONGODB_URI));
beforeEach(async () => {
  wire.setRules();
  await database.raw.dropDatabase();
});

/** Returns every index of the database by collection. */
async function stored(): Promise<Document> {
  const collections = await database.raw.collections();
  const all = await Promise.all(
    collections.map(async (each) => [each.collectionName, await each.indexes()] as const),
  );
  const filled = all.filter(([, indexes]) => indexes.length > 1);
  return Object.fromEntries(
    filled.map(([name, indexes]) => [
      name,
      indexes.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
    ]),
  );
}

async function migrated(): Promise<Document> {
  const { code, stderr } = await tollgate(['migrate'], env);
  // A busy machine takes seconds, and `migrate` reports its progress.
  const unexpected = stderr.replaceAll(/^Building indexes of .*\n/gm, '');
  expect([code, unexpected]).toEqual([0, '']);
  return stored();
}

const users = () => database.raw.collection('users');

/** Leaves indexes as an earlier version, or an interrupted migration, may have left them. */
async function leaveOldIndexes(): Promise<void> {
  await database.raw
    .collection('payments')
    .dropIndex('due_at_1')
    .catch(() => undefined);
  await database.raw.collection('payments').createIndex({ due_at: -1 }, { name: 'due_at_1' });
  await database.raw.collection('events').dropIndexes();
  await users().dropIndex('email_1');
  await users().createIndex({ email: 1 }, { name: 'email_1' });
}

describe('tollgate migrate', () => {
  it('creates missing indexes, and changes nothing the second time', async () => {
    const first = await tollgate(['migrate'], env);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('created    payments.checkout_token_1\n');
    expect(first.stdout.match(/^created /gm)).toHaveLength(ALL);
    const done = `The database ${database.name} has the indexes that this version needs.\n`;
    expect(first.stdout).toContain(done);
    const before = await stored();
    expect(await tollgate(['migrate'], env)).toEqual({ code: 0, stdout: done, stderr: '' });
    expect(await stored()).toEqual(before);
  });

  it('prints one line of JSON', async () => {
    await tollgate(['migrate'], env);
    await users().dropIndex('email_1');
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    const { code, stdout } = await tollgate(['migrate', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      database: database.name,
      ok: true,
      indexes: [
        { collection: 'users', index: 'email_1', state: 'created' },
        { collection: 'users', index: 'by_age', state: 'foreign' },
      ],
      payments_indexed: 0,
      next: expect.stringContaining('has the indexes'),
    });
  });

  it('exits with 1 and names the duplicate field if a unique index cannot be built', async () => {
    await users().insertMany([{ email: 'a@b.example' }, { email: 'a@b.example' }]);
    const { code, stdout } = await tollgate(['migrate'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('failed     users.email_1: Two documents have the same email');
    expect(stdout.match(/^created /gm)).toHaveLength(ALL - 1);
  });
});

describe('tollgate migrate --check', () => {
  it('lists missing, different and old indexes, changes nothing, and exits with 1', async () => {
    await migrated();
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2' });
    await database.raw.collection('events').dropIndex('cause_1');
    await database.raw.collection('api_keys').dropIndex('hash_1');
    await database.raw.collection('api_keys').createIndex({ hash: 1 }, { name: 'hash_1' });
    const before = await stored();
    const { code, stdout, stderr } = await tollgate(['migrate', '--check'], env);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')).toEqual([
      'missing    events.cause_1',
      'foreign    users.by_age: not created by Tollgate, and kept',
      'obsolete   users.email_1_2',
      'different  api_keys.hash_1',
      'Run `tollgate migrate`.',
      '',
    ]);
    const json = await tollgate(['migrate', '--check', '--json'], env);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      indexes: [{ collection: 'events', index: 'cause_1', state: 'missing' }, {}, {}, {}],
    });
    expect(await stored()).toEqual(before);
  });

  it('exits with 0 if all extra indexes are the operator’s own', async () => {
    await migrated();
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    const { code, stdout } = await tollgate(['migrate', '--check'], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('has the indexes')]);
  });
});

const nothing = async () => undefined;

describe('tollgate migrate creates the same indexes', () => {
  it.each([
    [1, 'an empty database', nothing],
    [5, 'an empty database', nothing],
    [1, 'an old one', async () => leaveOldIndexes()],
  ])('if it is killed after build %i on %s, and run again', async (build, _, prepare) => {
    await migrated();
    await (prepare === nothing ? database.raw.dropDatabase() : prepare());
    const child = execFile(process.execPath, ['cli/tollgate.js', 'migrate'], {
      cwd: PROJECT,
      env: { ...env, PATH: process.env['PATH'] ?? '', MONGODB_URI: wire.uri },
    });
    const ended = new Promise((resolve) => child.once('exit', (__, signal) => resolve(signal)));
    let builds = 0;
    const reply = (real: Document): Document => {
      builds += 1;
      if (builds === build) child.kill('SIGKILL');
      return real;
    };
    wire.setRules({ commands: ['createIndexes'], reply });
    expect(await ended).toBe('SIGKILL');
    expect((await tollgate(['migrate', '--check'], env)).code).toBe(1);
    await migrated();
    expect((await tollgate(['migrate', '--check'], env)).code).toBe(0);
  });

  it('if two run at once, on an empty database and on an old one', async () => {
    const whole = await migrated();
    await database.raw.dropDatabase();
    for (const prepare of [nothing, leaveOldIndexes]) {
      await prepare();
      const two = [startTollgate(['migrate'], env), startTollgate(['migrate'], env)];
      const both = await Promise.all(two.map(async ({ ended }) => ended));
      expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      const check = await tollgate(['migrate', '--check'], env);
      expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('has the indexes')]);
      expect(Object.keys(await stored())).toEqual(Object.keys(whole));
    }
  });
});

describe('without tollgate migrate,', () => {
  const key = { ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  const program = async (name: string): Promise<Outcome> =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ['--import', 'tsx', `${name}.ts`],
        { cwd: PROJECT, env: { PATH: process.env['PATH'] ?? '', ...env, ...key } },
        (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });
  const create = ['merchant', 'create', '--name', 'Shop', '--email', 'a@b.example'];

  it.each<[string, number, () => Promise<Outcome>]>([
    ['the server', 1, async () => program('server')],
    ['the worker', 1, async () => program('worker')],
    ['a command', 3, async () => tollgate(create, { ...env, ...key })],
  ])('%s lists the missing indexes, and exits with %d', async (_, exitCode, start) => {
    await migrated();
    await users().dropIndex('email_1');
    const before = await stored();
    const { code, stdout, stderr } = await start();
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(
      /^\w+: The database \S+ does not have the indexes .*: users\.email_1\. Run `tollgate migrate`, .*\n$/,
    );
    expect(await stored()).toEqual(before);
    expect(await users().countDocuments()).toBe(0);
  });

  it('a command reports the same in JSON', async () => {
    const { code, stderr } = await tollgate([...create, '--json'], { ...env, ...key });
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { type: 'api', code: 'unavailable', message: expect.stringContaining('payments.') },
    });
  });
});
