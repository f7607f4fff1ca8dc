/**
 * Measures how attacks slow down the requests of another merchant on the same machine, and whether
 * the server frees its memory afterwards.
 *
 * Run: `npm run bench:hostile -- [--data DIR] [--seconds 12] [--only NAME,NAME]`. `--data` is the
 * data folder of a running `npm start`. Without it, one is started for the benchmark.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { percentile } from '../test/load/endpoints.ts';
import { makeMerchant } from '../test/support/merchant.ts';
import type { Merchant } from '../test/support/merchant.ts';
import { makeAllInOne } from '../test/support/servers/allinone.ts';
import type { AllInOne, ReadyFile } from '../test/support/servers/allinone.ts';
import { tollgate } from '../test/support/servers/deployment.ts';
import { buildPrograms } from '../test/support/build.ts';
import { ATTACKS } from './hostile/attacks.ts';
import type { Tally, Target } from './hostile/sockets.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    seconds: { type: 'string', default: '12' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const names = Object.keys(ATTACKS).filter((name) => values.only?.split(',').includes(name) ?? true);

/** Requests of the other merchant at the same time, and the pause after each. */
const CONCURRENCY = 2;
const PAUSE_MS = 10;
/** How long an attack runs before the measurement begins, and after it ends. */
const LEAD_MS = 1_000;
/** The longest wait for the memory of an attack to be freed. */
const REST_MS = 45_000;
const RSS_INTERVAL_MS = 200;
/** Memory may stay this much above its level before the attack: V8 keeps some of it. */
const LEVEL_SHARE = 1.25;
/** A list of 100 such payments has 2.5 MB. */
const BIG = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
const PAGE = 100;

const run = promisify(execFile);

type Ready = ReadyFile & { dashboard_url: string };

async function createMerchant(dataDir: string, apiUrl: string): Promise<Merchant> {
  const args = ['merchant', 'create', '--name', 'Shop', '--email', `${randomUUID()}@shop.example`];
  const env = { ...process.env, DATA_DIR: dataDir } as Record<string, string>;
  const made = await tollgate(env, args, programs);
  const { merchant_id: id = '', test_api_key: apiKey = '' } = made;
  return makeMerchant({ id, apiUrl, apiKey, secret: '' });
}

interface Sample {
  readonly durationsMs: number[];
  readonly statuses: Tally;
}

/** Creates, retrieves and lists payments until that time, as an honest merchant does. */
async function work(merchant: Merchant, until: number): Promise<Sample> {
  const sample: Sample = { durationsMs: [], statuses: {} };
  const call = async (...request: Parameters<Merchant['call']>): Promise<unknown> => {
    const start = performance.now();
    const { status, body } = await merchant.call(...request).catch(() => ({ status: 0, body: {} }));
    sample.durationsMs.push(performance.now() - start);
    sample.statuses[status] = (sample.statuses[status] ?? 0) + 1;
    await sleep(PAUSE_MS);
    return body;
  };
  const loop = async (): Promise<void> => {
    while (Date.now() < until) {
      const fields = { amount: 500, currency: 'AMD', return_url: 'https://shop.example/' };
      const created = await call('POST', '/v1/payments', fields, randomUUID());
      await call('GET', `/v1/payments/${(created as { id?: string }).id ?? 'none'}`);
      await call('GET', '/v1/payments?limit=10');
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  sample.durationsMs.sort((a, b) => a - b);
  return sample;
}

/** Returns the memory of a process in MiB. */
function rssOf(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** Runs the attack in a process of its own, and returns the responses to it. */
async function runAttack(name: string, target: Target): Promise<Tally> {
  const file = path.join(import.meta.dirname, 'hostile', 'attacker.ts');
  const duration = String(seconds + 2 * (LEAD_MS / 1000));
  const args = ['--import', 'tsx', file, name, duration, JSON.stringify(target)];
  const { stdout } = await run(process.execPath, args, { cwd: path.dirname(import.meta.dirname) });
  return JSON.parse(stdout) as Tally;
}

/** Waits until the memory is near its level before the attack, and returns it. */
async function settle(pid: number, before: number): Promise<number> {
  const until = Date.now() + REST_MS;
  while (Date.now() < until && rssOf(pid) > before * LEVEL_SHARE) await sleep(RSS_INTERVAL_MS);
  return rssOf(pid);
}

async function measure(ready: Ready, dataDir: string): Promise<Record<string, unknown>[]> {
  const { api_url: apiUrl, pids } = ready;
  const attacker = await createMerchant(dataDir, apiUrl);
  const honest = await createMerchant(dataDir, apiUrl);
  for (let i = 0; i < PAGE; i += 1) await attacker.create(`big-${i}`, { metadata: BIG });
  const foreign = await Promise.all([1, 2, 3, 4].map(async (n) => honest.create(`foreign-${n}`)));
  const target: Target = {
    apiUrl,
    checkoutUrl: ready.checkout_url,
    dashboardUrl: ready.dashboard_url,
    apiKey: attacker.apiKey,
    foreignIds: foreign.map(({ id }) => id),
  };
  await work(honest, Date.now() + (seconds * 1000) / 2);
  const rows: Record<string, unknown>[] = [];
  for (const name of names) {
    const quiet = await work(honest, Date.now() + seconds * 1000);
    const before = rssOf(pids.server);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, rssOf(pids.server));
    }, RSS_INTERVAL_MS);
    const attack = runAttack(name, target);
    await sleep(LEAD_MS);
    const during = await work(honest, Date.now() + seconds * 1000);
    const tally = await attack;
    clearInterval(watch);
    const after = await settle(pids.server, before);
    rows.push({ attack: name, ...rowOf(quiet, during, tally), before, peak, after });
    console.table(rows.slice(-1));
  }
  return rows;
}

const percentileOf = ({ durationsMs }: Sample, share: number): number =>
  Math.round(percentile(durationsMs, share));

const format = (counts: Tally): string =>
  Object.entries(counts)
    .map(([status, n]) => `${status}x${n}`)
    .join(' ');

function rowOf(quiet: Sample, during: Sample, attack: Tally): Record<string, unknown> {
  const [p99Quiet, p99Attack] = [percentileOf(quiet, 0.99), percentileOf(during, 0.99)];
  return {
    'p50 quiet': percentileOf(quiet, 0.5),
    'p50 attack': percentileOf(during, 0.5),
    'p99 quiet': p99Quiet,
    'p99 attack': p99Attack,
    ratio: (p99Attack / Math.max(p99Quiet, 1)).toFixed(1),
    merchant: format(during.statuses),
    attacker: format(attack),
  };
}

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-hostile-'));
const programs = path.join(folder, 'programs');
let own: AllInOne | undefined;
try {
  await buildPrograms(programs);
  own = values.data === undefined ? await makeAllInOne(folder) : undefined;
  await own?.start();
  const dataDir = path.resolve(values.data ?? path.join(folder, 'data'));
  const file = readFileSync(path.join(dataDir, 'ready.json'), 'utf8');
  // Addresses, so that no connection has to look up a name.
  const ready = JSON.parse(file.replaceAll('//localhost:', '//127.0.0.1:')) as Ready;
  console.table(await measure(ready, dataDir));
} finally {
  own?.interrupt();
  await own?.gone();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
