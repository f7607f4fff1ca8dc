import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '@node-rs/argon2';
import { isId, timeOf } from '../../domain/id.ts';
import { deriveKey } from '../../store/encryption.ts';
import { hashOfKey } from '../../store/keys.ts';
import { makeSealer } from '../../store/seal.ts';
import { VERSION } from '../../version.ts';
import { useDatabase } from '../store/database.ts';
import { tollgate as run } from './command.ts';
import type { Outcome } from './command.ts';
import { tenantOf } from '../../domain/merchant.ts';

const KEY = randomBytes(32);
const database = await useDatabase('cli');

type Variables = Record<string, string>;

let folder: string;
let merchant: { merchant_id: string; test_api_key: string; dashboard_password: string };
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-cli-'));
  const created = await tollgate(['merchant', 'create', ...named('first@shop.example'), '--json']);
  merchant = JSON.parse(created.stdout) as typeof merchant;
});
afterAll(async () => rm(folder, { recursive: true }));

/** Returns the URI of this file's database. */
function ourUri(): string {
  const uri = new URL(database.uri);
  uri.pathname = `/${database.name}`;
  return uri.href;
}

/** Returns the environment of an operator, without empty variables. */
const operator = (more: Variables = {}): Variables => ({
  MONGODB_URI: ourUri(),
  ENCRYPTION_KEY: KEY.toString('base64'),
  DATA_DIR: folder,
  ...more,
});

const tollgate = async (args: readonly string[], more?: Variables): Promise<Outcome> =>
  run(args, operator(more));

const named = (email: string): string[] => ['--name', 'Shop', '--email', email];
const endpointTo = (url: string, ...more: string[]): string[] => {
  const to = ['--merchant', merchant.merchant_id, '--url', url];
  return ['endpoint', 'create', ...to, '--json', ...more];
};
const PUBLIC = 'https://93.184.215.14/hooks';

async function documents(): Promise<string> {
  const collections = await database.raw.collections();
  const all = await Promise.all(collections.map(async (each) => each.find().toArray()));
  return JSON.stringify(all);
}

describe('tollgate refuses', () => {
  const create = ['merchant', 'create', '--json'];
  it.each<[string, () => string[], string, string | null]>([
    [
      'a malformed e-mail address',
      () => [...create, ...named('shop')],
      'parameter_invalid',
      'email',
    ],
    [
      'a taken e-mail address',
      () => [...create, ...named('First@shop.example')],
      'parameter_invalid',
      'email',
    ],
    [
      'an empty name',
      () => [...create, '--name', ' ', '--email', 'a@b.example'],
      'parameter_invalid',
      'name',
    ],
    [
      'a card number as a name',
      () => [...create, '--name', '4242-4242-4242-4242', '--email', 'a@b.example'],
      'card_number_refused',
      'name',
    ],
    [
      'an unsupported language',
      () => [...create, ...named('b@b.example'), '--locale', 'fr'],
      'locale_unsupported',
      'locale',
    ],
    [
      'an unknown merchant',
      () => ['endpoint', 'create', '--merchant', 'mer_1', '--url', PUBLIC, '--json'],
      'resource_missing',
      'merchant',
    ],
    ['a private address', () => endpointTo('http://10.0.0.1/'), 'url_invalid', 'url'],
  ])('%s, and writes nothing', async (_, args, code, param) => {
    const before = await documents();
    const outcome = await tollgate(args());
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
    const { error } = JSON.parse(outcome.stderr) as { error: object };
    expect(error).toMatchObject({ type: 'invalid_request', code, param });
    expect(await documents()).toBe(before);
  });

  it.each([
    ['no command', [], /^Usage: tollgate/],
    [
      'an unknown command',
      ['key', 'lst'],
      /^tollgate: unknown .*Did you mean list\? .*`toll.* key /,
    ],
    ['a missing option', ['merchant', 'create', '--name', 'Shop'], /^tollgate: .* '--email/],
    ['an unknown option', ['key', 'list', '--mdoe', 'test'], /^tollgate: .*Did you mean --mode\?/],
    ['no id', ['endpoint', 'disable'], /^tollgate: The id is missing\. Give the endpoint's id/],
    ['two ids', ['endpoint', 'disable', 'we_1', '--id', 'we_2'], /^tollgate: Give the id once/],
    ['too many ids', ['endpoint', 'disable', 'we_1', 'we_2'], /^tollgate: too many arguments/],
    ['a needless option', ['resend', 'dlv_1', '--count'], /^tollgate: --count has no effect with/],
  ])('%s, and says what to do', async (_, args, sentence) => {
    const { code, stdout, stderr } = await tollgate(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });

  it('an unknown option in JSON for programs', async () => {
    const { code, stderr } = await tollgate(['key', 'list', 'mer_1', '--json', '--mdoe', 'test']);
    const error = { type: 'invalid_request', code: 'parameter_unknown' };
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error }]);
  });

  it('to list deliveries without an endpoint or id', async () => {
    const { code, stderr } = await tollgate(['deliveries', '--json']);
    const error = { code: 'parameter_missing', param: 'endpoint' };
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error }]);
  });

  it.each<[string, Variables, number, RegExp]>([
    ['nothing is configured', { MONGODB_URI: '' }, 2, /^tollgate: .*MONGODB_URI/],
    ['the key is missing', { ENCRYPTION_KEY: '' }, 2, /^tollgate: ENCRYPTION_KEY/],
    ['a variable is faulty', { ENCRYPTION_KEY: 'x', API_PORT: 'y' }, 2, /API_P(.|\n)*ENCRYPTION/],
    [
      'no server responds',
      { MONGODB_URI: 'mongodb://127.0.0.1:1/' },
      3,
      /^tollgate: The database of MONGODB_URI cannot be reached/,
    ],
  ])('to run if %s, in one sentence', async (_, env, exitCode, sentence) => {
    const outcome = await tollgate(['merchant', 'create', ...named('d@b.example')], env);
    expect([outcome.code, outcome.stdout]).toEqual([exitCode, '']);
    expect(outcome.stderr).toMatch(sentence);
    expect(outcome.stderr).not.toContain('    at ');
  });
});

describe('tollgate merchant create', () => {
  it('prints a working id, key and password', async () => {
    expect(Object.keys(merchant)).toEqual(['merchant_id', 'test_api_key', 'dashboard_password']);
    expect(isId('merchant', merchant.merchant_id)).toBe(true);
    const key = await database.mongo.keys.findOne({ hash: hashOfKey(merchant.test_api_key) ?? '' });
    expect(key).toMatchObject({ merchant_id: merchant.merchant_id, mode: 'test' });
    const user = await database.mongo.users.findOne({ email: 'first@shop.example' });
    expect(await verify(user?.password_hash ?? '', merchant.dashboard_password)).toBe(true);
  });

  it('stores neither key nor password in plain text', async () => {
    const text = await documents();
    expect(text).toContain(merchant.merchant_id);
    expect(text).not.toContain(merchant.test_api_key.slice(8));
    expect(text).not.toContain(merchant.dashboard_password);
  });

  it('prints lines for people', async () => {
    const args = ['merchant', 'create', ...named('e@b.example'), '--locale', 'en'];
    const { code, stdout, stderr } = await tollgate(args);
    expect([code, stderr]).toEqual([0, '']);
    const lines = /^merchant_id +mer_\w+\ntest_api_key +sk_test_\w+\ndashboard_password +\S+\n$/;
    expect(stdout).toMatch(lines);
  });
});

describe('tollgate endpoint create', () => {
  it('prints id and secret, and stores the secret encrypted', async () => {
    const { code, stdout } = await tollgate(endpointTo(PUBLIC, '--events', 'payment.*, refund.*'));
    expect(code).toBe(0);
    const created = JSON.parse(stdout) as { id: string; secret: string };
    expect(Object.keys(created)).toEqual(['id', 'secret']);
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const endpoint = await database.mongo.endpoints.findOne({ _id: created.id });
    expect(endpoint).toMatchObject({
      m: tenantOf(merchant.merchant_id, 'test'),
      url: PUBLIC,
      enabled_events: ['payment.*', 'refund.*'],
      secret_hint: created.secret.slice(-4),
      created_at: new Date(timeOf(created.id)),
    });
    expect(await documents()).not.toContain(created.secret.slice(6, -4));
    const sealer = makeSealer(deriveKey(KEY, 'webhook secrets'));
    expect(sealer.unseal(endpoint?.secret ?? '', created.id)).toBe(created.secret);
  });

  it('allows a private address in an opened range', async () => {
    const opened = { WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' };
    expect((await tollgate(endpointTo('http://10.0.0.1/'), opened)).code).toBe(0);
  });

  it('uses the services that run on the data folder, and allows loopback addresses', async () => {
    const data = await mkdtemp(path.join(folder, 'data-'));
    await writeFile(path.join(data, 'ready.json'), JSON.stringify({ mongodb_uri: ourUri() }));
    await writeFile(path.join(data, 'secret.key'), `${KEY.toString('base64')}\n`);
    const env = { MONGODB_URI: '', ENCRYPTION_KEY: '', DATA_DIR: data };
    const { code, stderr } = await tollgate(endpointTo('http://127.0.0.1:9000/'), env);
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('a command after npm start was killed', () => {
  it('reports that nothing runs, in JSON for programs', async () => {
    const data = await mkdtemp(path.join(folder, 'data-'));
    const ready = JSON.stringify({ mongodb_uri: 'mongodb://127.0.0.1:1/' });
    await writeFile(path.join(data, 'ready.json'), ready);
    const env = { MONGODB_URI: '', DATA_DIR: data };
    const { code, stderr } = await tollgate(['deliveries', '--json'], env);
    const message = expect.stringContaining(`\`npm start\` last ran on ${data}; is it running?`);
    const error = { type: 'api', code: 'unavailable', message, param: null };
    expect([code, JSON.parse(stderr)]).toEqual([3, { error }]);
  });
});

describe('tollgate --version', () => {
  it('prints the version of the package', async () => {
    expect((await tollgate(['--version'])).stdout.trim()).toBe(VERSION);
  });
});
