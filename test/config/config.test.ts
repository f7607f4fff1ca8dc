import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/delivery.ts';
import { inConfig } from './inconfig.ts';
import type { Variables } from './inconfig.ts';

const KEY_HEX = '0a'.repeat(32);
const OTHER_HEX = '0b'.repeat(32);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-config-'));
});
afterAll(async () => rm(folder, { recursive: true }));

const evaluate = async (expression: string, env: Variables, cwd = folder): Promise<unknown> =>
  inConfig(expression, env, cwd);

const readConfig = async (env: Variables, cwd?: string) => evaluate('c.readConfig()', env, cwd);

/** Faulty values of each variable. One test uses a whole column. */
const FAULTS: readonly Variables[] = [
  {
    API_PORT: '80800',
    API_URL: 'localhost:8080',
    ENCRYPTION_KEY: KEY_HEX.slice(2),
    ENCRYPTION_KEY_PREVIOUS: `${OTHER_HEX},secret`,
    WEBHOOK_SCHEDULE: '0,soon',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1',
    WEBHOOK_TIMEOUT_MS: '99',
    PAYMENT_LIFETIME_MIN_SECONDS: '0',
    BANK_TIMEOUT_SECONDS: '1.5',
    SWEEP_SECONDS: '-1',
    RETENTION_DAYS: '0',
    RATE_LIMIT_PER_SECOND: '0',
    RATE_LIMIT_BURST: '-1',
    RATE_LIMIT_ANONYMOUS_PER_SECOND: 'ten',
    RATE_LIMIT_ANONYMOUS_BURST: '1000001',
    TRUSTED_PROXY_HOPS: '11',
    ALLOW_HTTP_HOSTS: 'http://shop.internal',
    LOG_LEVEL: 'loud',
    DEMO: 'perhaps',
  },
  {
    CHECKOUT_PORT: 'http',
    CHECKOUT_URL: 'ftp://pay.example',
    DASHBOARD_URL: 'javascript:alert(1)',
    ALLOW_HTTP_HOSTS: '*',
    ENCRYPTION_KEY: 'secret',
    WEBHOOK_SCHEDULE: '0,-5',
    WEBHOOK_ALLOW_CIDRS: '10.0.0.0/33',
    WEBHOOK_TIMEOUT_MS: '20001',
    BANK_TIMEOUT_SECONDS: '1e3',
    RETENTION_DAYS: '3651',
    DASHBOARD_PORT: '-1',
  },
  {
    API_URL: 'http://api.pay.example',
    CHECKOUT_URL: 'http://192.168.1.5:8081',
    DASHBOARD_URL: 'http://localhost.example/',
  },
  { API_URL: 'http://[fd00::1]', CHECKOUT_URL: 'http://0.0.0.0', DASHBOARD_URL: 'http://1278' },
  { WEBHOOK_SCHEDULE: ',', WEBHOOK_ALLOW_CIDRS: 'everywhere/0', SWEEP_SECONDS: '3601' },
];

describe('readConfig', () => {
  it.each(FAULTS)('reports every fault at once: %o', async (env) => {
    const [name, message] = (await readConfig(env)) as [string, string];
    expect(name).toBe('ConfigError');
    const named = message.split('\n').map((line) => line.replace(/:.*/, ''));
    expect(new Set(named)).toEqual(new Set(Object.keys(env)));
  });

  it('takes the address of Temporal’s web interface, without a slash at its end', async () => {
    const shown = 'c.readConfig().temporalUiUrl ?? null';
    const given = { TEMPORAL_UI_URL: 'https://temporal.internal/' };
    expect(await evaluate(shown, given)).toBe('https://temporal.internal');
    expect(await evaluate(shown, {})).toBeNull();
  });

  it('refuses attempts that last longer than a worker takes to stop, and gives the reason', async () => {
    expect(await readConfig({ WEBHOOK_TIMEOUT_MS: '20001' })).toEqual([
      'ConfigError',
      'WEBHOOK_TIMEOUT_MS: must be a whole number from 100 to 20000: ' +
        'a worker that stops waits no longer for a delivery under way',
    ]);
  });

  it('does not print a faulty key', async () => {
    const text = 'nearly-a-secret';
    const variables = { ENCRYPTION_KEY: text, ENCRYPTION_KEY_PREVIOUS: `${KEY_HEX},${text}` };
    const fault = JSON.stringify(await readConfig(variables));
    expect(fault).toMatch(/ENCRYPTION_KEY: .*ENCRYPTION_KEY_PREVIOUS: /);
    expect(fault).not.toMatch(new RegExp(`${text}|${KEY_HEX}`));
  });

  it('reports the key in use among the previous keys, besides every other fault', async () => {
    const repeated = `${OTHER_HEX},${Buffer.from(KEY_HEX, 'hex').toString('base64')}`;
    const variables = { ENCRYPTION_KEY: KEY_HEX, ENCRYPTION_KEY_PREVIOUS: repeated };
    const [name, message] = (await readConfig({ ...variables, DEMO: '?' })) as [string, string];
    expect(name).toBe('ConfigError');
    expect(message).toMatch(/^DEMO: .*\nENCRYPTION_KEY_PREVIOUS: contains the key [^\n]*$/);
    expect(message).not.toMatch(new RegExp(repeated.split(',').join('|')));
  });

  it('has a default for every variable', async () => {
    expect(await readConfig({})).toEqual({
      logLevel: 'info',
      exportsSpans: false,
      ports: { api: 8080, checkout: 8081, dashboard: 8082, demo: 8083, temporalUi: 8233 },
      urls: {
        api: 'http://localhost:8080',
        checkout: 'http://localhost:8081',
        dashboard: 'http://localhost:8082',
        demo: 'http://localhost:8083',
      },
      dataDir: path.join(folder, '.data'),
      cacheDir: path.join(folder, '.cache'),
      previousKeys: [],
      temporalGiven: false,
      encryptsPayloads: false,
      webhook: {
        scheduleSeconds: DEFAULT_SCHEDULE_SECONDS,
        opened: [],
        openedByHand: false,
        timeoutMs: 15_000,
      },
      lifetimeMinMs: 300_000,
      bankTimeoutMs: 900_000,
      sweepSeconds: 30,
      sweepGrace: { paymentMs: 15_000, deliveryMs: 60_000, refundMs: 15_000 },
      retentionDays: 90,
      limits: {
        merchant: { perSecond: 100, burst: 200 },
        anonymous: { perSecond: 20, burst: 40 },
        trustedHops: 0,
      },
      limitsByHand: { merchant: false, anonymous: false },
      demo: true,
      drainMs: 5_000,
    });
  });

  it('treats an empty variable as unset', async () => {
    const keys = ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS'];
    const names = ['API_PORT', 'API_URL', ...keys, 'MONGODB_URI', 'TEMPORAL_ADDRESS'];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(await readConfig(empty)).toEqual(await readConfig({}));
  });

  it('uses the variables, and builds addresses from the ports', async () => {
    const config = await readConfig({
      API_PORT: '9000',
      CHECKOUT_URL: 'https://pay.example/',
      WEBHOOK_SCHEDULE: '0, 1, 0.5',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      BANK_TIMEOUT_SECONDS: '2',
      RETENTION_DAYS: '3650',
      RATE_LIMIT_PER_SECOND: '7',
      TRUSTED_PROXY_HOPS: '1',
      TEMPORAL_ADDRESS: 'temporal:7233',
      DEMO: 'false',
    });
    expect(config).toMatchObject({
      urls: { api: 'http://localhost:9000', checkout: 'https://pay.example' },
      webhook: { scheduleSeconds: [0, 1, 0.5], openedByHand: true },
      bankTimeoutMs: 2_000,
      retentionDays: 3_650,
      limits: { merchant: { perSecond: 7, burst: 14 }, trustedHops: 1 },
      temporalGiven: true,
      demo: false,
    });
  });

  it('reads a .env file, which the environment overrides', async () => {
    const place = await mkdtemp(path.join(folder, 'env-'));
    await writeFile(path.join(place, '.env'), 'API_PORT=9001\nDEMO_PORT=9002\n');
    const config = await readConfig({ API_PORT: '9003' }, place);
    expect(config).toMatchObject({ ports: { api: 9003, demo: 9002 } });
  });
});

const embeddedLimits = async (env: Variables) => evaluate('c.embeddedLimits(c.readConfig())', env);

describe('embeddedLimits', () => {
  const merchant = { RATE_LIMIT_PER_SECOND: '2000', RATE_LIMIT_BURST: '4000' };
  const anonymous = {
    RATE_LIMIT_ANONYMOUS_PER_SECOND: '1000',
    RATE_LIMIT_ANONYMOUS_BURST: '2000',
  };

  it.each([
    [{}, { ...merchant, ...anonymous }],
    [{ RATE_LIMIT_BURST: '10' }, anonymous],
    [{ RATE_LIMIT_ANONYMOUS_PER_SECOND: '1' }, merchant],
  ])('changes no limit of a pair that is partly set: %o', async (env: Variables, expected) => {
    expect(await embeddedLimits(env)).toEqual(expected);
  });
});

/** The form of a key in the result of `evaluate`. */
const bytes = (each: number) => ({ type: 'Buffer', data: [...Buffer.alloc(32, each)] });

const requireServices = async (env: Variables) =>
  evaluate('c.requireServices(c.readConfig())', env);

describe('requireServices', () => {
  it('reports everything that is missing', async () => {
    const [name, message] = (await requireServices({})) as [string, string];
    expect(name).toBe('ConfigError');
    expect(message).toMatch(/^MONGODB_URI .*\nENCRYPTION_KEY .*$/);
  });

  it.each([
    [{ MONGODB_URI: 'mongodb://db' }, /^ENCRYPTION_KEY [^\n]*$/],
    [{ ENCRYPTION_KEY: KEY_HEX }, /^MONGODB_URI [^\n]*$/],
  ])('reports only the missing variables besides %o', async (env: Variables, missing) => {
    expect(await requireServices(env)).toEqual(['ConfigError', expect.stringMatching(missing)]);
  });

  it('returns both, and the previous keys', async () => {
    const services = await requireServices({
      MONGODB_URI: 'mongodb://db',
      ENCRYPTION_KEY: KEY_HEX,
      ENCRYPTION_KEY_PREVIOUS: ` ${OTHER_HEX}, ${Buffer.alloc(32, 1).toString('base64')}`,
    });
    expect(services).toEqual({
      mongoUri: 'mongodb://db',
      keys: { current: bytes(10), previous: [bytes(11), bytes(1)] },
    });
  });
});

describe('readTemporal', () => {
  it('reads address and namespace as the tools of Temporal do', async () => {
    const env = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'shop' };
    expect(await evaluate('c.readTemporal()', env)).toMatchObject({
      connectionOptions: { address: 'temporal:7233' },
      namespace: 'shop',
    });
    expect(await evaluate('c.readTemporal().namespace', {})).toBe('default');
  });
});
