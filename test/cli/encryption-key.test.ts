import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { resealKeys, rotateKey } from '../../cli/encryption-key.ts';
import { MAX_PREVIOUS_KEYS, deriveKey } from '../../store/encryption.ts';
import { mintId } from '../../store/mint.ts';
import { makeSealer } from '../../store/seal.ts';
import type { Sealer } from '../../store/seal.ts';
import { useDatabase } from '../store/database.ts';
import { ACTOR, entriesAbout, withoutAudit } from '../support/audit.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { tollgate } from './command.ts';

const database = await useDatabase('cli-key');
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const [oldKey, newKey] = [OLD, NEW].map((key) => deriveKey(key, 'webhook secrets'));
const before = makeSealer(oldKey!);
const changed = makeSealer(newKey!, [oldKey!]);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-cli-key-'));
  const { endpoints, auditEntries } = database.mongo;
  await Promise.all([endpoints.deleteMany({}), auditEntries.deleteMany({})]);
});
afterEach(async () => rm(folder, { recursive: true }));

async function stored(by: Sealer): Promise<{ id: string; secret: string }> {
  const [id, secret] = [mintId('endpoint'), makeWebhookSecret()];
  const m = `${mintId('merchant')}:test`;
  const endpoint = makeEndpoint({ _id: id, m, secret: by.seal(secret, id) });
  await database.mongo.endpoints.insertOne(endpoint);
  return { id, secret };
}

const ourUri = (): string =>
  Object.assign(new URL(database.uri), { pathname: `/${database.name}` }).href;

const put = async (name: string, ...keys: Buffer[]): Promise<void> => {
  const text = keys.map((key) => `${key.toString('base64')}\n`).join('');
  await writeFile(path.join(folder, name), text);
};

/** No key and no secret, in any of the forms in which they are written. */
function expectNothingTold(printed: string, secrets: readonly string[]): void {
  const keys = [OLD, NEW, oldKey!, newKey!];
  const forms = keys.flatMap((key) => [key.toString('base64').slice(0, 20), key.toString('hex')]);
  const texts = [...forms, ...secrets.map((secret) => secret.slice(6, 26))];
  expect(texts.filter((text) => printed.includes(text))).toEqual([]);
}

const servicesOf = (by: Sealer) => ({ mongo: database.mongo, actor: ACTOR, sealer: by });
const rotate = async (encryptionKey?: Buffer) =>
  rotateKey(servicesOf(before), { encryptionKey, dataDir: folder });

describe('tollgate encryption-key rotate refuses', () => {
  it.each<[string, () => Promise<void>, Buffer | undefined, string]>([
    ['a key that is configured', async () => put('secret.key', OLD), NEW, 'ENCRYPTION_KEY is set'],
    ['a folder without a key', async () => {}, undefined, 'There is no key in'],
    [
      'one more than may be kept',
      async () => {
        await put('secret.key', OLD);
        const many = Array.from({ length: MAX_PREVIOUS_KEYS }, () => randomBytes(32));
        await put('secret.key.previous', ...many);
      },
      undefined,
      'delete secret.key.previous',
    ],
  ])('%s, and writes nothing', async (_, prepare, key, says) => {
    await prepare();
    const files = await readdir(folder);
    await expect(rotate(key)).rejects.toThrow(says);
    expect(await readdir(folder)).toEqual(files);
  });
});

describe('tollgate encryption-key rotate', () => {
  it('makes a key that waits for the next start, and shows none of it', async () => {
    await put('secret.key', OLD);
    const outcome = await tollgate(['encryption-key', 'rotate', '--json'], {
      DATA_DIR: folder,
      MONGODB_URI: ourUri(),
      TOLLGATE_ACTOR: 'ann',
    });
    expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    expect(JSON.parse(outcome.stdout)).toEqual({
      new_key: 'made',
      next: expect.stringMatching(/npm start/),
    });
    const next = await readFile(path.join(folder, 'secret.key.next'), 'utf8');
    expect(Buffer.from(next, 'base64')).toHaveLength(32);
    expect(outcome.stdout).not.toContain(next.slice(0, 20));
    expect(await readFile(path.join(folder, 'secret.key'), 'utf8')).toContain(
      OLD.toString('base64'),
    );
    expect(await rotate()).toMatchObject({ new_key: 'waits already' });
    expect(await readFile(path.join(folder, 'secret.key.next'), 'utf8')).toBe(next);
    const actor = { type: 'operator', name: 'ann' };
    const entry = { actor, action: 'encryption_key.rotate', merchant_id: null };
    expect(await entriesAbout(database.mongo, before.keyId)).toMatchObject([entry]);
  });

  it('makes no key if the audit entry cannot be written', async () => {
    await put('secret.key', OLD);
    await expect(withoutAudit(database.mongo, async () => rotate())).rejects.toThrow('audit');
    expect(await readdir(folder)).toEqual(['secret.key']);
  });
});

const reseal = async (by: Sealer, options: { check?: boolean } = {}, encryptionKey = NEW) =>
  resealKeys(servicesOf(by), options, { encryptionKey, dataDir: folder });

describe('tollgate encryption-key reseal', () => {
  it('counts before and after, ends with 1 while an older key is needed, and tells nothing', async () => {
    const all = [await stored(before), await stored(before), await stored(changed)];
    const env = {
      MONGODB_URI: ourUri(),
      ENCRYPTION_KEY: NEW.toString('base64'),
      ENCRYPTION_KEY_PREVIOUS: OLD.toString('hex'),
    };
    const check = await tollgate(['encryption-key', 'reseal', '--check', '--json'], env);
    expect([check.code, check.stderr]).toEqual([1, '']);
    const key = changed.keyId;
    const left = { left: 2, left_by_key: { [before.keyId]: 2 } };
    expect(JSON.parse(check.stdout)).toMatchObject({ key, current: 1, ...left });

    const done = await tollgate(['encryption-key', 'reseal'], env);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^resealed +2\nalready +1\ncurrent +3\nleft +0$/m);
    expect(done.stdout).toMatch(
      /^next +No secret needs another key\. .*unset ENCRYPTION_KEY_PREVIOUS/m,
    );
    const secrets = all.map(({ secret }) => secret);
    expectNothingTold(check.stdout + done.stdout, secrets);

    const alone = makeSealer(newKey!);
    for (const { id, secret } of all) {
      const endpoint = await database.mongo.endpoints.findOne({ _id: id });
      expect(alone.unseal(endpoint!.secret, id)).toBe(secret);
    }
  });

  it('only counts when it is to check', async () => {
    const { id } = await stored(before);
    const row = await database.mongo.endpoints.findOne({ _id: id });
    const shown = await reseal(changed, { check: true });
    expect(shown).toMatchObject({ current: 0, left: 1, next: expect.stringMatching(/^Run /) });
    expect(shown).not.toHaveProperty('resealed');
    expect(await database.mongo.endpoints.findOne({ _id: id })).toEqual(row);
    expect(await entriesAbout(database.mongo, changed.keyId)).toEqual([]);
  });

  it('is recorded, and fails if it cannot be recorded', async () => {
    const { id } = await stored(before);
    const row = await database.mongo.endpoints.findOne({ _id: id });
    await expect(withoutAudit(database.mongo, async () => reseal(changed))).rejects.toThrow(
      'audit',
    );
    expect(await database.mongo.endpoints.findOne({ _id: id })).toEqual(row);
    await reseal(changed);
    const entry = { actor: ACTOR, action: 'encryption_key.reseal' };
    expect(await entriesAbout(database.mongo, changed.keyId)).toMatchObject([entry]);
  });

  it('names the key that is missing, and the endpoints that wait for it', async () => {
    const { id } = await stored(before);
    const shown = await reseal(makeSealer(newKey!));
    expect(shown).toMatchObject({
      resealed: 0,
      left: 0,
      unreadable: 1,
      keys_missing: [before.keyId],
      unreadable_endpoints: [id],
      next: expect.stringMatching(/^Add the missing key to ENCRYPTION_KEY_PREVIOUS/),
    });
  });

  it('says so while a new key waits for the next start', async () => {
    await put('secret.key', OLD);
    await rotate();
    const shown = await resealKeys(
      servicesOf(before),
      {},
      {
        encryptionKey: undefined,
        dataDir: folder,
      },
    );
    expect(shown['next']).toMatch(/^A new key waits for the next start/);
  });
});
