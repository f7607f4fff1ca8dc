import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { reseal, rotate } from '../../cli/encryption-key.ts';
import { readConfig } from '../../config.ts';
import { MAX_PREVIOUS_KEYS, deriveKey } from '../../store/encryption.ts';
import { mintId } from '../../store/mint.ts';
import { makeSealer } from '../../store/seal.ts';
import type { Sealer } from '../../store/seal.ts';
import { useDatabase } from '../store/database.ts';
import { ACTOR, entriesAbout, withoutAudit } from '../support/audit.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { tollgate } from './command.ts';
import { tenantOf } from '../../domain/merchant.ts';

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
  const tenant = tenantOf(mintId('merchant'), 'test');
  const endpoint = makeEndpoint({ _id: id, m: tenant, secret: by.seal(secret, id) });
  await database.mongo.endpoints.insertOne(endpoint);
  return { id, secret };
}

const ourUri = (): string =>
  Object.assign(new URL(database.uri), { pathname: `/${database.name}` }).href;

const put = async (name: string, ...keys: Buffer[]): Promise<void> => {
  const text = keys.map((key) => `${key.toString('base64')}\n`).join('');
  await writeFile(path.join(folder, name), text);
};

/** Expects the text to contain no key and no secret, in any form. */
function expectNoSecret(printed: string, secrets: readonly string[]): void {
  const keys = [OLD, NEW, oldKey!, newKey!];
  const forms = keys.flatMap((key) => [key.toString('base64').slice(0, 20), key.toString('hex')]);
  const texts = [...forms, ...secrets.map((secret) => secret.slice(6, 26))];
  expect(texts.filter((text) => printed.includes(text))).toEqual([]);
}

const servicesOf = (by: Sealer) => {
  const config = { ...readConfig(), encryptionKey: undefined, dataDir: folder };
  return { mongo: database.mongo, actor: ACTOR, sealer: by, config };
};

async function command(name: 'rotate' | 'reseal', env: Record<string, string>, ...args: string[]) {
  const variables = { DATA_DIR: folder, MONGODB_URI: ourUri(), TOLLGATE_ACTOR: 'ann', ...env };
  return tollgate(['encryption-key', name, ...args], variables);
}

describe('tollgate encryption-key rotate refuses', () => {
  it.each<[string, () => Promise<void>, Record<string, string>, string]>([
    [
      'if the key is configured',
      async () => put('secret.key', OLD),
      { ENCRYPTION_KEY: NEW.toString('base64') },
      'ENCRYPTION_KEY is set',
    ],
    ['if the folder has no key', async () => {}, {}, 'ENCRYPTION_KEY is missing'],
    [
      'if the maximum number of previous keys is kept',
      async () => {
        await put('secret.key', OLD);
        const many = Array.from({ length: MAX_PREVIOUS_KEYS }, () => randomBytes(32));
        await put('secret.key.previous', ...many);
      },
      {},
      'delete secret.key.previous',
    ],
  ])('%s, and writes nothing', async (_, prepare, env, message) => {
    await prepare();
    const files = await readdir(folder);
    const { code, stderr } = await command('rotate', env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await readdir(folder)).toEqual(files);
  });
});

describe('tollgate encryption-key rotate', () => {
  it('stages a key for the next start, and prints no part of it', async () => {
    await put('secret.key', OLD);
    const outcome = await command('rotate', {}, '--json');
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
    expect((await command('rotate', {})).stdout).toMatch(/^new_key +waits already$/m);
    expect(await readFile(path.join(folder, 'secret.key.next'), 'utf8')).toBe(next);
    const actor = { type: 'operator', name: 'ann' };
    const entry = { actor, action: 'encryption_key.rotate', merchant_id: null };
    expect(await entriesAbout(database.mongo, before.keyId)).toMatchObject([entry]);
  });

  it('makes no key if the audit entry cannot be written', async () => {
    await put('secret.key', OLD);
    const rotated = withoutAudit(database.mongo, async () => rotate(servicesOf(before)));
    await expect(rotated).rejects.toThrow('audit');
    expect(await readdir(folder)).toEqual(['secret.key']);
  });
});

const WITH_NEW = { ENCRYPTION_KEY: NEW.toString('base64') };
const WITH_BOTH = { ...WITH_NEW, ENCRYPTION_KEY_PREVIOUS: OLD.toString('hex') };

describe('tollgate encryption-key reseal', () => {
  it('counts before and after, exits with 1 while an older key is needed, and prints no secret', async () => {
    const all = [await stored(before), await stored(before), await stored(changed)];
    const check = await command('reseal', WITH_BOTH, '--check', '--json');
    expect([check.code, check.stderr]).toEqual([1, '']);
    const key = changed.keyId;
    const left = { left: 2, left_by_key: { [before.keyId]: 2 } };
    expect(JSON.parse(check.stdout)).toMatchObject({ key, current: 1, ...left });

    const done = await command('reseal', WITH_BOTH);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^resealed +2\nalready +1\ncurrent +3\nleft +0$/m);
    expect(done.stdout).toMatch(
      /^next +No secret needs another key\. .*unset ENCRYPTION_KEY_PREVIOUS/m,
    );
    const secrets = all.map(({ secret }) => secret);
    expectNoSecret(check.stdout + done.stdout, secrets);

    const alone = makeSealer(newKey!);
    for (const { id, secret } of all) {
      const endpoint = await database.mongo.endpoints.findOne({ _id: id });
      expect(alone.unseal(endpoint!.secret, id)).toBe(secret);
    }
  });

  it('only counts with --check', async () => {
    const { id } = await stored(before);
    const row = await database.mongo.endpoints.findOne({ _id: id });
    const { stdout } = await command('reseal', WITH_BOTH, '--check', '--json');
    const shown = JSON.parse(stdout) as object;
    expect(shown).toMatchObject({ current: 0, left: 1, next: expect.stringMatching(/^Run /) });
    expect(shown).not.toHaveProperty('resealed');
    expect(await database.mongo.endpoints.findOne({ _id: id })).toEqual(row);
    expect(await entriesAbout(database.mongo, changed.keyId)).toEqual([]);
  });

  it('inserts an audit entry, and changes nothing if that fails', async () => {
    const { id } = await stored(before);
    const row = await database.mongo.endpoints.findOne({ _id: id });
    const failed = withoutAudit(database.mongo, async () => reseal(servicesOf(changed), {}));
    await expect(failed).rejects.toThrow('audit');
    expect(await database.mongo.endpoints.findOne({ _id: id })).toEqual(row);
    expect((await command('reseal', WITH_BOTH)).code).toBe(0);
    const entry = { actor: { type: 'operator', name: 'ann' }, action: 'encryption_key.reseal' };
    expect(await entriesAbout(database.mongo, changed.keyId)).toMatchObject([entry]);
  });

  it('names the missing key and the endpoints that need it', async () => {
    const { id } = await stored(before);
    const { code, stdout } = await command('reseal', WITH_NEW, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        resealed: 0,
        left: 0,
        unreadable: 1,
        keys_missing: [before.keyId],
        unreadable_endpoints: [id],
        next: expect.stringMatching(/^Add the missing key to ENCRYPTION_KEY_PREVIOUS/),
      },
    ]);
  });

  it('reports a new key that waits for the next start', async () => {
    await put('secret.key', OLD);
    await command('rotate', {});
    const { stdout } = await command('reseal', {});
    expect(stdout).toMatch(/^next +A new key waits for the next start/m);
  });
});
