/**
 * What attacks cost a second merchant on the same machine, and what they leave behind in memory.
 *
 * Run: `npm run bench:hostile -- [--data DIR] [--seconds 12] [--only NAME,NAME]`. `--data` is the
 * data folder of a running `npm start`; without it an all-in-one of its own is started.
 */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { makeAllInOne } from '../test/support/servers/allinone.ts';
import type { AllInOne, ReadyFile } from '../test/support/servers/allinone.ts';
import { percentile } from '../test/load/crowd.ts';
import { makeMerchant } from '../test/support/merchant.ts';
import type { Merchant } from '../test/support/merchant.ts';
import { ATTACKS } from './hostile/attacks.ts';
import type { Tally, Target } from './hostile/wire.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    seconds: { type: 'string', default: '12' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const names = Object.keys(ATTACKS).filter((name) => values.only?.split(',').includes(name) ?? true);

/** The second merchant works on this many requests at once, with a pause after each. */
const LANES = 2;
const PAUSE_MS = 10;
/** The attack is under way before anything is measured. */
const LEAD_MS = 1_000;
/** Memory that an attack took has so long to come back. */
const REST_MS = 45_000;
const RSS_EVERY_MS = 200;
/** How much above its level before a process may stay: what V8 keeps for the next load. */
const LEVEL_SHARE = 1.25;
/** A list page of 100 of these has 2.5 MB. */
const BIG = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
const PAGE = 100;

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);

type Ready = ReadyFile & { dashboard_url: string };

async function hire(dataDir: string, apiUrl: string): Promise<Merchant> {
  const args = ['merchant', 'create', '--name', 'Shop', '--email', `${randomUUID()}@shop.example`];
  const env = { ...process.env, DATA_DIR: dataDir };
  const command = [path.join(root, 'cli', 'tollgate.js'), ...args, '--json'];
  const { stdout } = await run(process.execPath, command, { cwd: root, env });
  const made = JSON.parse(stdout) as Record<string, string>;
  const { merchant_id: id = '', test_api_key: apiKey = '' } = made;
  return makeMerchant({ id, apiUrl, apiKey, secret: '' });
}

interface Seen {
  readonly durationsMs: number[];
  readonly statuses: Tally;
}

/** An honest merchant's day: creates, retrieves and lists. */
async function work(merchant: Merchant, until: number): Promise<Seen> {
  const seen: Seen = { durationsMs: [], statuses: {} };
  const call = async (...request: Parameters<Merchant['call']>): Promise<unknown> => {
    const begun = performance.now();
    const { status, body } = await merchant.call(...request).catch(lost);
    seen.durationsMs.push(performance.now() - begun);
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    await sleep(PAUSE_MS);
    return body;
  };
  const lane = async (): Promise<void> => {
    while (Date.now() < until) {
      const fields = { amount: 500, currency: 'AMD', return_url: 'https://shop.example/' };
      const made = await call('POST', '/v1/payments', fields, randomUUID());
      await call('GET', `/v1/payments/${(made as { id?: string }).id ?? 'none'}`);
      await call('GET', '/v1/payments?limit=10');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  seen.durationsMs.sort((a, b) => a - b);
  return seen;
}

const lost = (): { status: number; body: unknown } => ({ status: 0, body: {} });

function rssOf(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** Runs the attack and returns what came back from it. */
async function raid(name: string, target: Target): Promise<Tally> {
  const args = ['--import', 'tsx', path.join(here, 'hostile', 'raid.ts'), name];
  const given = [String(seconds + 2 * (LEAD_MS / 1000)), JSON.stringify(target)];
  const child = spawn(process.execPath, [...args, ...given], { cwd: root });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.pipe(process.stderr);
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(printed) as Tally;
}

/** Waits until the process is near its level of before; returns where it ended. */
async function settle(pid: number, before: number): Promise<number> {
  const until = Date.now() + REST_MS;
  while (Date.now() < until && rssOf(pid) > before * LEVEL_SHARE) await sleep(RSS_EVERY_MS);
  return rssOf(pid);
}

async function measure(ready: Ready, dataDir: string): Promise<Record<string, unknown>[]> {
  const { api_url: apiUrl, pids } = ready;
  const [attacker, honest] = [await hire(dataDir, apiUrl), await hire(dataDir, apiUrl)];
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
    }, RSS_EVERY_MS);
    const attack = raid(name, target);
    await sleep(LEAD_MS);
    const during = await work(honest, Date.now() + seconds * 1000);
    const tally = await attack;
    clearInterval(watch);
    const row = rowOf({ name, quiet, during, tally });
    rows.push({ ...row, before, peak, after: await settle(pids.server, before) });
    console.table(rows.slice(-1));
  }
  return rows;
}

const at = ({ durationsMs }: Seen, share: number): number =>
  Math.round(percentile(durationsMs, share));

const spell = (counts: Tally): string =>
  Object.entries(counts)
    .map(([status, n]) => `${status}x${n}`)
    .join(' ');

interface Measured {
  name: string;
  quiet: Seen;
  during: Seen;
  tally: Tally;
}

function rowOf({ name, quiet, during, tally }: Measured): Record<string, unknown> {
  const ratio = at(during, 0.99) / Math.max(at(quiet, 0.99), 1);
  return {
    attack: name,
    'p50 quiet': at(quiet, 0.5),
    'p50 attack': at(during, 0.5),
    'p99 quiet': at(quiet, 0.99),
    'p99 attack': at(during, 0.99),
    ratio: ratio.toFixed(1),
    merchant: spell(during.statuses),
    attacker: spell(tally),
  };
}

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-hostile-'));
let own: AllInOne | undefined;
try {
  own = values.data === undefined ? await makeAllInOne(folder) : undefined;
  await own?.start();
  const dataDir = path.resolve(values.data ?? path.join(folder, 'data'));
  const file = readFileSync(path.join(dataDir, 'ready.json'), 'utf8');
  // A name would be looked up with every connection, in the attacker's process too.
  const ready = JSON.parse(file.replaceAll('//localhost:', '//127.0.0.1:')) as Ready;
  console.table(await measure(ready, dataDir));
} finally {
  own?.interrupt();
  await own?.gone();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
