import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { INDEXES } from '../../store/indexes.ts';
import { migrateIndexes } from '../../store/migrate.ts';
import { openMongo } from '../../store/mongo.ts';
import { IndexesMissing, requireIndexes, surveyIndexes } from '../../store/survey.ts';
import { openWire } from '../support/servers/wire.ts';
import { rejection, useDatabase } from './database.ts';
import { closeAfterTests } from '../support/close.ts';

const database = await useDatabase('survey');

const wire = closeAfterTests(await openWire(database.uri));
const mongo = closeAfterTests(await openMongo({ uri: wire.uri, dbName: database.name }));
beforeEach(async () => {
  wire.setRules();
  await database.raw.dropDatabase();
  await migrateIndexes(database.mongo);
});

const users = () => database.raw.collection('users');

/** Returns a summary of the survey's findings. */
async function found(): Promise<string[]> {
  const findings = await surveyIndexes(mongo);
  return findings.map(({ collection, index, state }) => `${state} ${collection}.${index}`);
}

/** Reports an index as MongoDB does during a build. The stand-in has no visible builds. */
function withBuild(real: Document): Document {
  const { cursor } = real;
  // A collection without any index does not exist yet.
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

  it('reports every index of an empty database as missing', async () => {
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
      'a sparse index',
      { key: { email: 1 }, unique: true, sparse: true },
      ['different users.email_1'],
    ],
    ['an equal definition in other words', { key: { email: 1 }, unique: true, sparse: false }, []],
  ])('compares the definition: %s', async (_, spec, expected) => {
    await users().dropIndex('email_1');
    await users().createIndexes([{ ...spec, name: 'email_1' } as never]);
    expect(await found()).toEqual(expected);
  });

  it('accepts an index of the same definition with another name', async () => {
    await users().dropIndex('email_1');
    await users().createIndex({ email: 1 }, { unique: true, name: 'by_hand' });
    expect(await found()).toEqual([]);
  });

  it('distinguishes indexes of the operator from old ones', async () => {
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2' });
    expect(await found()).toEqual(['foreign users.by_age', 'obsolete users.email_1_2']);
  });

  it('distinguishes an index that is being built from a finished one', async () => {
    wire.setRules({ commands: ['listIndexes'], reply: withBuild });
    expect(await found()).toEqual(['building users.email_1']);
  });
});

describe('requireIndexes', () => {
  it('accepts a migrated database with indexes of the operator', async () => {
    await users().createIndex({ created_at: 1 }, { name: 'by_age' });
    await requireIndexes(mongo);
  });

  it('reports missing and different indexes, with the command that creates them', async () => {
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

  it('refuses an old index only if it is unique', async () => {
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2' });
    await requireIndexes(mongo);
    await users().dropIndex('email_1_2');
    await users().createIndex({ email: 1, name: 1 }, { name: 'email_1_2', unique: true });
    expect(String(await rejection(requireIndexes(mongo)))).toContain('users.email_1_2 (obsolete)');
  });
});
