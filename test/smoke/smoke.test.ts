/** `tollgate smoke` through the public addresses of a deployment. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { tollgate as run, startTollgate } from '../cli/command.ts';
import type { Running } from '../cli/command.ts';
import { closeAfterTests } from '../support/close.ts';
import { freePort } from '../support/port.ts';
import { scrape } from '../metrics/scrape.ts';
import { openSecured } from '../support/servers/secured.ts';
import { until } from '../support/until.ts';

const secured = closeAfterTests(await openSecured('smoke'));
await secured.start();
const merchant = await secured.createMerchant();
const env = { ...secured.publicEnv, TOLLGATE_API_KEY: merchant.apiKey };

/** Returns the option for a port that is free now: other tests may take it after the command. */
const receive = async (): Promise<string[]> => [
  '--receive',
  `http://127.0.0.1:${await freePort()}/smoke`,
];

interface Round {
  ok: boolean;
  payment: string;
  steps: { step: string; duration_ms: number; error: string | null }[];
}

/** Starts the command as a process, which trusts the certificates of the proxies. */
function start(args: readonly string[], more: Record<string, string> = {}): Running {
  const started = startTollgate(['smoke', ...args], { ...env, ...more });
  running.push(started);
  return started;
}

const running: Running[] = [];

const enabled = async (): Promise<number> =>
  secured.mongo.endpoints.countDocuments({ status: { $ne: 'deleted' } });

const namesOf = ({ steps }: Round): string[] => steps.map(({ step }) => step);

afterEach(async () => {
  // A test that failed may have left its command running.
  for (const each of running.splice(0)) each.kill();
  // Each test leaves no endpoint, whatever happened.
  const left = await enabled();
  await secured.mongo.endpoints.deleteMany({});
  expect(left).toBe(0);
});

describe('tollgate verify-page', () => {
  it('finds no difference behind the proxies, and cancels its payment', async () => {
    const { code, stdout, stderr } = await startTollgate(['verify-page', '--json'], env).ended;
    const { same, differences } = JSON.parse(stdout) as { same: boolean; differences: object[] };
    expect({ code, stderr, same, differences }).toEqual({
      code: 0,
      stderr: '',
      same: true,
      differences: [],
    });
    const [payment] = await secured.mongo.payments.find({ order_id: 'verify-page' }).toArray();
    expect(payment?.status).toBe('canceled');
  });
});

describe('tollgate smoke', () => {
  it('pays and refunds a payment, and reads its events', async () => {
    const { code, stdout, stderr } = await start(['--json']).ended;
    const round = JSON.parse(stdout) as Round;
    expect({ code, stderr, steps: round.steps.filter(({ error }) => error !== null) }).toEqual({
      code: 0,
      stderr: '',
      steps: [],
    });
    expect(namesOf(round)).toEqual(['create', 'checkout', 'bank', 'event', 'retrieve', 'refund']);
    expect(await merchant.retrieve(round.payment)).toMatchObject({
      status: 'completed',
      amount_refunded: 12_500,
    });
  });

  it('receives and verifies webhooks with an endpoint of its own, and deletes it', async () => {
    const { code, stdout, stderr } = await start(await receive()).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^create +\d+ ms {2}pay_\w+$/m);
    expect(stdout).toMatch(/^webhook +\d+ ms {2}evt_\w+$/m);
    expect(stdout).toMatch(/^refund +\d+ ms {2}ref_\w+\nok, \d+ ms\n$/m);
    const made = await secured.mongo.endpoints.find().sort({ _id: -1 }).limit(1).toArray();
    const delivered = await secured.mongo.deliveries.find({ endpoint_id: made[0]!._id }).toArray();
    expect(delivered.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });

  it('deletes the endpoint of an earlier run that was killed', async () => {
    const to = await receive();
    const killed = start([...to, '--every', '1h', '--json']);
    await killed.prints(/"ok":true/);
    expect(await enabled()).toBe(1);
    killed.kill();
    await killed.ended;
    const { code, stderr } = await start([...to, '--json']).ended;
    expect([code, stderr]).toEqual([0, '']);
  });

  it('repeats until it is stopped, and exits with 0 after successful rounds', async () => {
    const port = await freePort();
    const serving = ['--metrics', String(port)];
    const repeated = start([...(await receive()), '--every', '1s', '--json', ...serving]);
    await until(
      () => repeated.lines(),
      ({ length }) => length >= 2,
    );
    const metrics = await scrape(port);
    expect(metrics.get('tollgate_smoke_ok')).toBe(1);
    expect(metrics.get('tollgate_smoke_rounds_total{result="ok"}')).toBeGreaterThanOrEqual(2);
    expect(metrics.get('tollgate_smoke_step_duration_seconds{step="create"}')).toBeGreaterThan(0);
    const { code } = await repeated.interrupt();
    const rounds = repeated.lines() as unknown as Round[];
    expect([code, rounds.every(({ ok }) => ok)]).toEqual([0, true]);
    expect(new Set(rounds.map(({ payment }) => payment)).size).toBe(rounds.length);
  });

  it('refuses --metrics with an invalid port, and without --every', async () => {
    const once = await start(['--metrics', '9465']).ended;
    expect([once.code, once.stderr]).toEqual([2, expect.stringMatching(/--metrics needs --every/)]);
    const wrong = await start(['--every', '1s', '--metrics', '70000']).ended;
    expect(wrong.stderr).toMatch(/--metrics 70000: give a port from 1 to 65535/);
  });

  it('exits with 1 at the first step that fails, and deletes the endpoint', async () => {
    const dead = { TOLLGATE_API_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stdout } = await start([...(await receive()), '--json'], dead).ended;
    const round = JSON.parse(stdout) as Round;
    expect([code, round.ok, namesOf(round)]).toEqual([1, false, ['create']]);
    expect(round.steps[0]?.error).toMatch(/ECONNREFUSED/);
  });

  it('deletes the endpoint if it is stopped while it waits for a webhook', async () => {
    await secured.worker.kill();
    const waiting = start(await receive());
    await waiting.prints(/^bank /m);
    expect(await enabled()).toBe(1);
    const { code, stdout } = await waiting.interrupt();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/FAILED: .*stopped/)]);
    await secured.worker.start();
  });
});

describe('tollgate smoke refuses', async () => {
  const HERE = await receive();

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['a missing key', [], { TOLLGATE_API_KEY: '' }, /The API key is missing/],
    ['a live key', [], { TOLLGATE_API_KEY: `sk_live_${'1'.repeat(38)}` }, /needs a test key/],
    ['another interval', ['--every', 'often'], {}, /such as 30s, 5m or 1h/],
    ['an address with TLS', ['--receive', 'https://localhost:9000'], {}, /give an http address/],
    [
      'a key of another database',
      HERE,
      { TOLLGATE_API_KEY: `sk_test_${'1'.repeat(38)}` },
      /not one of this database/,
    ],
    ['a database that is down', HERE, { MONGODB_URI: 'mongodb://127.0.0.1:1' }, /MONGODB_URI/],
  ])('%s', async (_, args, more, words) => {
    const { code, stdout, stderr } = await run(['smoke', ...args], { ...env, ...more });
    expect([code, stdout]).toEqual([words.source === 'MONGODB_URI' ? 3 : 2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, resolve);
    });
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(['smoke', '--receive', String(port)], env);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/EADDRINUSE/)]);
    other.close();
  });
});
