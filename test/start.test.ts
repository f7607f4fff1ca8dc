/** `npm start`: starts everything, keeps it alive, and leaves nothing behind. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeys, stageKey } from '../embedded/keys.ts';
import { openMongo } from '../store/mongo.ts';
import { surveyIndexes } from '../store/survey.ts';
import { makeAllInOne } from './support/servers/allinone.ts';
import type { AllInOne, Part, ReadyFile } from './support/servers/allinone.ts';
import { payWithOutcome } from './support/customer.ts';
import { makeMerchant } from './support/merchant.ts';
import type { Merchant } from './support/merchant.ts';
import { until } from './support/until.ts';

/** The time limit of a start or a stop while other tests run. */
const LIMIT_MS = 120_000;
const BACK_LIMIT_MS = 60_000;

/** True on Linux, which shows the environment of each process. */
const onLinux = existsSync('/proc/self/environ') ? it : it.skip;

let folder: string;
let all: AllInOne;
let ready: ReadyFile;
let merchant: Merchant;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-start-'));
  // As created by a shell with an open umask.
  await mkdir(path.join(folder, 'data'), { mode: 0o755 });
  all = await makeAllInOne(folder, undefined, { A_STRANGER: 'secret' });
}, LIMIT_MS);

afterAll(async () => {
  await all?.destroy();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, LIMIT_MS);

function modeOf(...names: string[]): string {
  return (statSync(path.join(folder, ...names)).mode & 0o777).toString(8);
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Prepares the database of an earlier version, which lacks one index and has an old one. */
async function leaveOldIndexes(): Promise<void> {
  const mongo = await openMongo({ uri: ready.mongodb_uri });
  await mongo.events.dropIndex('cause_1');
  await mongo.users.dropIndex('email_1');
  await mongo.users.createIndex({ email: 1 }, { name: 'email_1' });
  await mongo.close();
}

async function oldIndexes(): Promise<unknown[]> {
  const mongo = await openMongo({ uri: ready.mongodb_uri });
  const found = await surveyIndexes(mongo);
  await mongo.close();
  return found;
}

async function payOne(key: string): Promise<string> {
  const payment = await merchant.create(key);
  await payWithOutcome(payment, 'approve');
  const read = async () => (await merchant.retrieve(payment.id)).status;
  await until(read, (status) => status === 'completed', BACK_LIMIT_MS);
  return payment.id;
}

/** Waits until the demo shop, which verifies signatures, has accepted the payment's event. */
async function expectHeard(paymentId: string): Promise<void> {
  const mongo = await openMongo({ uri: ready.mongodb_uri });
  try {
    const event = await mongo.events.findOne({ payment_id: paymentId, type: 'payment.completed' });
    const read = async () => mongo.deliveries.findOne({ event_id: event!._id });
    await until(read, (delivery) => delivery?.state === 'succeeded', BACK_LIMIT_MS);
  } finally {
    await mongo.close();
  }
}

describe('npm start', () => {
  let paid: string;

  it(
    'starts everything and prints the addresses',
    async () => {
      ready = await all.start();
      const banner = all.output();
      expect(banner).toContain('Tollgate is running');
      for (const url of [ready.demo_url, ready.api_url, ready.checkout_url]) {
        expect(banner).toContain(url);
      }
      expect(banner).toMatch(/Dashboard +http/);
      expect(banner).toMatch(/Demo login +demo-[0-9a-f]{6}@example\.com/);
      const [link = ''] = /http\S+\/invite\/[\w-]{43}/.exec(banner) ?? [];
      expect(await (await fetch(link)).text()).toContain('name="name"');
      expect(await isUp(ready.demo_url)).toBe(true);
      expect(await isUp(`${ready.api_url}/readyz`)).toBe(true);
      const apiKey = /sk_test_\w+/.exec(banner)?.[0] ?? '';
      merchant = makeMerchant({ id: '', apiUrl: ready.api_url, apiKey, secret: '' });
      paid = await payOne('before');
    },
    LIMIT_MS,
  );

  onLinux('gives each program only the secrets that it needs', () => {
    const secrets = ['ENCRYPTION_KEY', 'MONGODB_URI'];
    const held = (part: Part): string[] => {
      const text = readFileSync(`/proc/${ready.pids[part]}/environ`, 'utf8');
      const names = text.split('\0').map((line) => line.replace(/=.*/s, ''));
      return [...secrets, 'A_STRANGER'].filter((name) => names.includes(name));
    };
    const parts = ['server', 'worker', 'demo', 'temporal', 'mongo'] satisfies Part[];
    expect(Object.fromEntries(parts.map((part) => [part, held(part)]))).toEqual({
      server: secrets,
      worker: secrets,
      demo: [],
      temporal: [],
      mongo: [],
    });
  });

  it('closes its data folder, and the secrets in it, to other users', () => {
    expect(modeOf('data')).toBe('700');
    const files = ['secret.key', 'ready.json', 'demo.json', 'logs/server.log', 'logs/demo.log'];
    expect(files.map((file) => [file, modeOf('data', file)])).toEqual(
      files.map((file) => [file, '600']),
    );
  });

  it('refuses a port in use, with the name of its variable', async () => {
    const other = await makeAllInOne(path.join(folder, 'other'));
    const server = createServer().listen(Number(other.env['API_PORT']), '127.0.0.1');
    await expect(other.start()).rejects.toThrow(/API_PORT/);
    expect(await other.exit()).toBe(1);
    await other.gone();
    server.close();
  });

  it('refuses a second start on the same data, and the first one continues', async () => {
    const second = await makeAllInOne(path.join(folder, 'second'), path.join(folder, 'data'));
    await expect(second.start()).rejects.toThrow(/uses .*DATA_DIR/);
    expect(await second.exit()).toBe(1);
    expect(all.ready()).toEqual(ready);
  });

  it.each(['demo', 'server', 'worker', 'temporal', 'mongo'] satisfies Part[])(
    'restarts %s if it dies',
    async (part) => {
      const before = all.ready().pids;
      process.kill(before[part], 'SIGKILL');
      const { pids } = await until(
        () => all.ready(),
        (now) => now.pids[part] !== before[part],
      );
      expect({ ...pids, [part]: 0 }).toEqual({ ...before, [part]: 0 });
      await until(async () => isUp(`${ready.api_url}/readyz`), Boolean, BACK_LIMIT_MS);
      await until(async () => isUp(ready.demo_url), Boolean, BACK_LIMIT_MS);
      await payOne(`after-${part}`);
    },
    LIMIT_MS,
  );

  it(
    'stops everything on Ctrl-C, and starts again with migrated data and a new key',
    async () => {
      const data = path.join(folder, 'data');
      const key = readKeys(data)!.current;
      stageKey(data);
      await leaveOldIndexes();
      all.interrupt();
      expect(await all.exit()).toBe(0);
      await all.gone();
      expect(existsSync(all.readyFile)).toBe(false);

      ready = await all.start();
      expect(all.output()).not.toMatch(/sk_test_|index/);
      expect(await oldIndexes()).toEqual([]);
      expect((await merchant.retrieve(paid)).status).toBe('completed');
      const keys = readKeys(data)!;
      expect([keys.previous, keys.current.equals(key)]).toEqual([[key], false]);
      await expectHeard(await payOne('second'));
    },
    2 * LIMIT_MS,
  );

  it(
    'leaves no process if it is killed itself',
    async () => {
      all.kill();
      await all.gone();
    },
    LIMIT_MS,
  );
});
