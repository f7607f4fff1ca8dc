import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { INDEXES } from '../../store/indexes.ts';
import { migrateIndexes } from '../../store/migrate.ts';
import { openMongo } from '../../store/mongo.ts';
import { IndexesMissing, requireIndexes, surveyIndexes } from '../../store/survey.ts';
import { openWire } from '../support/servers/wire.ts';
import { rejection, useDatabase } from './database.ts';
import { forFile } from '../support/file.ts';

const database = await useDatabase('survey');

const wire = forFile(await openWire(database.uri));
const mongo = forFile(await openMongo({ uri: wire.uri, dbName: database.name }));
beforeEach(async () => {
  wire.obey();
  await database.raw.dropDatabase();
  await migrateIndexes(database.mongo);
});

const users = () => database.raw.collection('users');

/** What the survey finds, in short. */
async function found(): Promise<string[]> {
  const findings = await surveyIndexes(mongo);
  return findings.map(({ collection, index, state }) => `${state} ${collection}.${index}`);
}

/** As MongoDB reports it during a build; the stand-in has no builds that anybody could see. */
function withBuild(real: Document): Document {
  const { cursor } = real;
  // A collection without any index is not there yet.
  if (!cursor) return real;
  const firstBatch = (cursor.firstBatch as Document[]).map((spec) => ({
    spec,
    ...(spec['name'] === 'email_1' ? { indexBuildInfo: { buildUUID: 'b' } } : {}),
  }));
  return { ...real, cursor: { ...cursor, firstBatch } };
}

describe('surveyIndexes', () => {
  it('finds nothing in a migrated database', async () => {
    expect(await found()).toEqual([]);
  });

  it('finds every index of an empty one missing', async () => {
    await database.raw.dropDatabase();
    const findings = await surveyIndexes(mongo);
    expect(findings.map(({ state }) => state)).toEqual(
      Object.values(INDEXES)
        .flat()
        .map(() => 'missing'),
    );
  });

  it.each<[string, Document, string[]]>([
    ['another key', { key: { email: 1, name: 1 }, unique: true }, ['different users.email_1']],
    ['another direction', { key: { email: -1 }, unique: true }, ['different users.email_1']],
    ['no uniqueness', { key: { email: 1 } }, ['different users.email_1']],
    [
      'a filter',
      { key: { email: 1 }, unique: true, partialFilterExpression: { email: { $gt: 'a' } } },
      ['different users.email_1'],
    ],
    [
      'a lifetime',
      { key: { email: 1 }, unique: true, expireAfterSeconds: 60 },
      ['different users.email_1'],
    ],
    [
      'fewer documents',
      { key: { email: 1 }, unique: true, sparse: true },
      ['different users.email_1'],
    ],
    ['the same by other words', { key: { email: 1 }, unique: true, sparse: false }, []],
  ])('compares the definition: %s', async (_, spec, expected) => {
    await users().dropIndex('email_1');
    await users().createIndexes([{ ...spec, name: 'email_1' } as never]);
    expect(await found()).toEqual(expected);
  });

  it('takes an index of another name for ours when it indexes the same', async () => {
    await users().dropIndex('email_1');
    await users().createIndex({ email: 1 }, { unique: true, name: 'by_hand' });
    expect(await found()).toEqual([]);
  });

  it('tells indexes of the operator from those that a replacement left behind', async () => {
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2' });
    expect(await found()).toEqual(['foreign users.by_age', 'obsolete users.email_1_2']);
  });

  it('tells an index that is being built from one that is there', async () => {
    wire.obey({ commands: ['listIndexes'], reply: withBuild });
    expect(await found()).toEqual(['building users.email_1']);
  });
});

describe('requireIndexes', () => {
  it('accepts a migrated database, with indexes of the operator in it', async () => {
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    await requireIndexes(mongo);
  });

  it('names what is missing or different, and the command that makes it', async () => {
    await database.raw.collection('payments').dropIndex('checkout_token_1');
    await users().dropIndex('email_1');
    await users().createIndex({ email: 1 }, { name: 'email_1' });
    const error = await rejection(requireIndexes(mongo));
    expect(error).toBeInstanceOf(IndexesMissing);
    const { message } = error as Error;
    expect(message).toContain(`${database.name} does not have the indexes`);
    expect(message).toContain('payments.checkout_token_1, users.email_1 (different)');
    expect(message).toContain('`tollgate migrate`');
  });

  it('refuses an old unique index only: it could refuse a right write', async () => {
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2' });
    await requireIndexes(mongo);
    await users().dropIndex('email_1_2');
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2', unique: true });
    expect(String(await rejection(requireIndexes(mongo)))).toContain('users.email_1_2 (obsolete)');
  });
});
