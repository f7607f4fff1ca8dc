/**
 * Counts the series of a server and a worker after many payments of many merchants, with every
 * outcome, currency and a webhook each, and after requests that try to invent series.
 *
 * Run: `npm run bench:series -- [--payments 10000] [--merchants 50] [--decided 1000] [--lanes 16]`.
 * `--decided` is the number of payments that go to the bank. The others stay open.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { forEach } from '../concurrency.ts';
import { CHOICES } from '../domain/bank.ts';
import { CURRENCIES } from '../domain/money.ts';
import { scrape } from '../test/metrics/scrape.ts';
import { buildPrograms } from '../test/support/build.ts';
import { startForScript } from '../test/support/servers/script.ts';
import type { Merchant } from '../test/support/merchant.ts';
import { freePort } from '../test/support/port.ts';
import { openReceiver } from '../test/support/receiver.ts';
import { openDeployment } from '../test/support/servers/deployment.ts';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000' },
    merchants: { type: 'string', default: '50' },
    decided: { type: 'string', default: '1000' },
    lanes: { type: 'string', default: '16' },
  },
});
const [payments, merchants, decided, atOnce] = [
  Number(values.payments),
  Number(values.merchants),
  Number(values.decided),
  Number(values.lanes),
];
const OUTCOMES = CHOICES.filter((name) => !/_after_|turn_back|3ds/.test(name));
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PROPFIND'];

async function measure(): Promise<void> {
  const ports = { server: await freePort(), worker: await freePort() };
  const receiver = await openReceiver();
  const deployment = await openDeployment({
    file: 'series',
    server: { METRICS_PORT: String(ports.server) },
    worker: { METRICS_PORT: String(ports.worker) },
  });
  try {
    await deployment.start();
    const all: Merchant[] = [];
    await forEach(Array.from({ length: merchants }), { atOnce: 2 }, async () => {
      all.push(await deployment.createMerchant(receiver.url));
    });
    await print('merchants made', ports);
    const numbers = Array.from({ length: payments }, (_, index) => index);
    await forEach(numbers, { atOnce }, async (index) => pay(all[index % merchants], index));
    await print('payments made', ports);
    const hostile = numbers.slice(0, Math.ceil(payments / 10));
    await forEach(hostile, { atOnce }, async (index) => annoy(deployment.env, index));
    await print('strange requests sent', ports);
  } finally {
    await deployment.close();
    await receiver.close();
  }
}

async function pay(merchant: Merchant | undefined, index: number): Promise<void> {
  const { code: currency } = CURRENCIES[index % CURRENCIES.length] ?? {};
  const made = await merchant?.create(`order-${index}`, { currency });
  const outcome = OUTCOMES[index % OUTCOMES.length];
  if (made && outcome && index < decided) await merchant?.outcome(made.id, outcome);
}

async function annoy(env: Readonly<Record<string, string>>, index: number): Promise<void> {
  const addresses = [env['API_URL'], env['CHECKOUT_URL']];
  const method = METHODS[index % METHODS.length] ?? 'GET';
  for (const address of addresses) {
    await fetch(`${address}/${index}/..%2f${index}?a=${index}`, { method });
    await fetch(`${address}/v1/payments/pay_${index}`, { method });
    await fetch(`${address}/c/${index}`, { method });
  }
}

async function print(title: string, ports: Readonly<Record<string, number>>): Promise<void> {
  const counts = Object.entries(ports).map(async ([program, port]) => {
    const startedMs = performance.now();
    const series = await scrape(port);
    const ms = Math.round(performance.now() - startedMs);
    const sdk = [...series.keys()].filter((key) => key.startsWith('temporal_')).length;
    return `${program} ${series.size} series (${sdk} of the SDK), read in ${ms} ms`;
  });
  console.log(`${title}: ${(await Promise.all(counts)).join('; ')}`);
}

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-series-'));
const programs = path.join(folder, 'programs');
await buildPrograms(programs);
const servers = await startForScript(programs);
try {
  await measure();
} finally {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
}
