/** API keys and the audit, by the commands that an operator runs. They need only a database. */
import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { NO_LIMITS, recordingTemporal, serveApi } from '../api/harness.ts';
import { useDatabase } from '../store/database.ts';
import { tollgate } from './command.ts';
import { closeAfterTests } from '../support/close.ts';

const database = await useDatabase('cli_keys');
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

const { mongo } = database;
const api = closeAfterTests(
  await serveApi({ secret: '' }, { mongo, temporal: recordingTemporal(mongo), limits: NO_LIMITS }),
);
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  MONGODB_URI: Object.assign(new URL(database.uri), { pathname: `/${database.name}` }).href,
  ENCRYPTION_KEY,
  TOLLGATE_ACTOR: 'ann@till',
  ...more,
});

const hired = await command('merchant', 'create', '--name', 'Shop', '--email', 'a@shop.example');
const merchant = String(hired['merchant_id']);
const first = String(hired['test_api_key']);

type Json = Record<string, unknown>;

async function command(...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await tollgate([...args, '--json'], environment());
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Json;
}

/** Returns the API's response to a key. */
async function codeOf(secret: unknown): Promise<string | number> {
  const reply = await api.as({ secret: String(secret) }).send('GET', '/v1/payments');
  return reply.status === 200 ? 200 : String(reply.json.error.code);
}

const of = (...more: string[]): string[] => ['--merchant', merchant, ...more];

describe('tollgate key', () => {
  it('creates a key, rolls it and revokes both, with effect on the API at once', async () => {
    const made = await command('key', 'create', ...of('--name', 'Till 2'));
    expect(made).toMatchObject({ name: 'Till 2', mode: 'test', revoked_at: null });
    expect(await codeOf(made['api_key'])).toBe(200);

    const rolled = await command('key', 'roll', ...of('--id', String(made['id'])));
    const day = Date.parse(String(rolled['old_key_works_until'])) - Date.now();
    expect(Math.round(day / 3_600_000)).toBe(24);
    expect([await codeOf(made['api_key']), await codeOf(rolled['api_key'])]).toEqual([200, 200]);

    // An operator need not know the merchant.
    await command('key', 'revoke', String(made['id']));
    const both = [await codeOf(made['api_key']), await codeOf(rolled['api_key'])];
    expect(both).toEqual(['api_key_revoked', 200]);

    const args = of('--id', String(rolled['id']), '--overlap', '0');
    const last = await command('key', 'roll', ...args);
    expect(last).toMatchObject({ name: 'Till 2', old_key_works_until: null });
    expect(await codeOf(rolled['api_key'])).toBe('api_key_revoked');
    expect([await codeOf(last['api_key']), await codeOf(first)]).toEqual([200, 200]);
  });

  it('refuses to revoke a key that is not of the given merchant', async () => {
    const other = await command('merchant', 'create', '--name', 'B', '--email', 'b@shop.example');
    const { id } = await command('key', 'create', ...of());
    const theirs = ['key', 'revoke', String(id), '--merchant', String(other['merchant_id'])];
    const { code, stderr } = await tollgate(theirs, environment());
    expect([code, stderr]).toEqual([2, 'tollgate: The merchant has no such key.\n']);
    expect((await mongo.keys.findOne({ _id: String(id) }))?.revoked_at).toBeNull();
  });

  it('lists keys without their secrets, for people and for programs', async () => {
    const { keys } = (await command('key', 'list', ...of())) as { keys: Json[] };
    expect(keys).toContainEqual(
      expect.objectContaining({ name: null, mode: 'test', last4: first.slice(-4) }),
    );
    const { code, stdout } = await tollgate(['key', 'list', merchant], environment());
    const [heads = '', ...rows] = stdout.trimEnd().split('\n');
    expect([code, heads.split(/ +/)]).toEqual([
      0,
      ['STATE', 'MODE', 'KEY', 'NAME', 'CREATED', 'USED', 'ENDS', 'ID'],
    ]);
    expect(rows.map((row) => row.slice(heads.indexOf('ID')))).toEqual(keys.map(({ id }) => id));
    for (const { last4 } of keys) expect(stdout).toContain(`...${String(last4)} `);
    expect(stdout).toMatch(/^active .* now|^active .* \d+ s ago/m);
    expect(stdout).not.toMatch(/sk_|hash|\[\d+m/);
  });

  it.each<[string, string[], string, string]>([
    ['an unknown key', ['revoke', '--id', 'key_1'], 'resource_missing', 'id'],
    ['an unknown mode', ['create', '--mode', 'demo'], 'parameter_invalid', 'mode'],
    [
      'an unknown overlap',
      ['roll', '--id', 'key_1', '--overlap', '2h'],
      'parameter_invalid',
      'overlap',
    ],
  ])('refuses %s', async (_, args, code, param) => {
    const outcome = await tollgate(['key', ...args, ...of(), '--json'], environment());
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
    expect(JSON.parse(outcome.stderr)).toMatchObject({ error: { code, param } });
  });
});

describe('tollgate audit', () => {
  it('lists who did what, newest first, page by page', async () => {
    const { id } = await command('key', 'create', ...of('--mode', 'live'));
    await command('key', 'revoke', ...of('--id', String(id)));
    const newest = await command('audit', ...of('--limit', '1'));
    expect(newest).toMatchObject({
      entries: [{ actor: { name: 'ann@till' }, action: 'key.revoke', object: { id } }],
      has_more: true,
    });
    const [{ id: cursor } = {}] = newest['entries'] as Json[];
    const next = await command('audit', ...of('--limit', '1', '--starting-after', String(cursor)));
    expect(next).toMatchObject({ entries: [{ action: 'key.create', after: { mode: 'live' } }] });

    const { entries } = (await command('audit', '--object', merchant)) as { entries: Json[] };
    expect(entries).toMatchObject([{ action: 'merchant.create', merchant_id: merchant }]);
    const all = await command('audit', '--since', '1h', '--limit', '100');
    expect(JSON.stringify(all)).not.toMatch(/sk_test_|password|a@shop\.example/);
    expect(await command('audit', '--since', '0s')).toMatchObject({ entries: [] });
  });

  it('records the user and the machine, or the configured name', async () => {
    const args = ['key', 'create', ...of('--mode', 'live'), '--json'];
    const { stdout } = await tollgate(args, environment({ TOLLGATE_ACTOR: '' }));
    const { id } = JSON.parse(stdout) as Json;
    const { entries } = (await command('audit', '--object', String(id))) as { entries: Json[] };
    const name = `${userInfo().username}@${hostname()}`;
    expect(entries).toMatchObject([{ actor: { type: 'operator', name } }]);
  });

  it.each(['a\u001b[2Jb', 'x'.repeat(101)])('refuses an operator of the name %j', async (name) => {
    const before = await database.mongo.keys.countDocuments();
    const outcome = await tollgate(
      ['key', 'create', ...of()],
      environment({ TOLLGATE_ACTOR: name }),
    );
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
    expect(outcome.stderr).toMatch(/^tollgate: TOLLGATE_ACTOR must have 1 to 100 visible/);
    expect(await database.mongo.keys.countDocuments()).toBe(before);
  });
});
