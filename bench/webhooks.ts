/**
 * Measures how dead and slow receivers delay the webhooks of healthy ones. The same load runs once
 * with healthy receivers only, and once with all. Each run has new processes and databases.
 *
 * Run: `npm run bench:webhooks -- [--events 2000] [--lanes 16] [--dead refused,hanging] [--slow 1]
 * [--slow-ms 3000] [--minutes 40]`. With `--dead healthy` it measures the cost of more endpoints.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_SCHEDULE_SECONDS } from '../domain/delivery.ts';
import {
  checkRequests,
  openEndpoints,
  percentile,
  decidePayments,
  untilReceived,
} from '../test/load/endpoints.ts';
import type {
  TestEndpoint,
  Receipts,
  Manner,
  Decisions,
  EndpointPlan,
} from '../test/load/endpoints.ts';
import { buildPrograms } from '../test/support/build.ts';
import { startForScript } from '../test/support/servers/script.ts';
import type { Merchant } from '../test/support/merchant.ts';
import { openDeployment } from '../test/support/servers/deployment.ts';
import type { Deployment } from '../test/support/servers/deployment.ts';

/** The values of production, instead of the short ones of tests. */
const PRODUCTION = {
  SWEEP_SECONDS: '30',
  SWEEP_PAYMENT_GRACE_SECONDS: '15',
  SWEEP_DELIVERY_GRACE_SECONDS: '60',
  WEBHOOK_SCHEDULE: DEFAULT_SCHEDULE_SECONDS.join(','),
  WEBHOOK_TIMEOUT_MS: '15000',
  PAYMENT_LIFETIME_MIN_SECONDS: '300',
  UV_THREADPOOL_SIZE: '64',
};
/** Events before the measurement, so that every run starts with warm processes. */
const WARM_UP = 100;
/** The second merchant has this many times fewer events and lanes than the first. */
const OTHERS_SHARE = 16;
/** The longest wait for healthy deliveries after the last payment of a run. */
const ARRIVAL_LIMIT_MS = 300_000;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    lanes: { type: 'string', default: '16' },
    dead: { type: 'string', default: 'refused,hanging' },
    slow: { type: 'string', default: '1' },
    'slow-ms': { type: 'string', default: '3000' },
    minutes: { type: 'string', default: '40' },
  },
});
const options = {
  events: Number(values.events),
  lanes: Number(values.lanes),
  dead: values.dead.split(',') as Manner[],
  slow: Number(values.slow),
  slowMs: Number(values['slow-ms']),
  minutes: Number(values.minutes),
};

const HEALTHY: readonly EndpointPlan[] = [
  { name: 'everything', manner: 'healthy' },
  { name: 'completed only', manner: 'healthy', events: 'payment.completed' },
];
const OTHER: EndpointPlan = { name: 'other merchant', manner: 'healthy' };

function badReceivers(dead: Manner): EndpointPlan[] {
  const { slowMs } = options;
  const slow = Array.from({ length: options.slow }, (_, index): EndpointPlan => {
    return { name: `slow ${index + 1} (${slowMs} ms)`, manner: 'slow', slowMs };
  });
  return [{ name: `dead (${dead})`, manner: dead }, ...slow];
}

interface Row extends Receipts {
  readonly endpoint: TestEndpoint;
}

/** Runs the load once, on new processes. */
async function run(title: string, bad: readonly EndpointPlan[]): Promise<Row[]> {
  const deployment = await openDeployment({ file: 'bench', env: PRODUCTION });
  const endpoints: TestEndpoint[] = [];
  try {
    await deployment.start();
    return await measure({ title, bad, deployment, endpoints });
  } finally {
    await deployment.close();
    await Promise.all(endpoints.map(async ({ receiver }) => receiver?.close()));
  }
}

interface RunOptions {
  title: string;
  bad: readonly EndpointPlan[];
  deployment: Deployment;
  /** Gets every opened receiver. The caller closes them. */
  endpoints: TestEndpoint[];
}

/** Runs the load of both merchants, and returns the deliveries to each receiver. */
async function measure({ title, bad, deployment, endpoints }: RunOptions): Promise<Row[]> {
  const { events, lanes } = options;
  const open = async (
    merchant: Merchant,
    wanted: readonly EndpointPlan[],
  ): Promise<TestEndpoint[]> => {
    const opened = await openEndpoints(deployment, merchant, wanted);
    endpoints.push(...opened);
    return opened;
  };
  const [first, second] = [await deployment.createMerchant(), await deployment.createMerchant()];
  const healthy = await open(first, HEALTHY);
  const warm = await decidePayments(first, WARM_UP, lanes);
  await untilReceived(healthy, warm, ARRIVAL_LIMIT_MS);
  const theirs = await open(second, [OTHER]);
  await open(first, bad);

  const start = Date.now();
  const seconds = (): string => ((Date.now() - start) / 1000).toFixed(1);
  const [own, others] = await Promise.all([
    decidePayments(first, events, lanes),
    decidePayments(second, Math.ceil(events / OTHERS_SHARE), Math.ceil(lanes / OTHERS_SHARE)),
  ]);
  const made = `${own.size} + ${others.size} events made in ${seconds()} s`;
  await untilReceived(healthy, new Map([...warm, ...own]), ARRIVAL_LIMIT_MS).catch(console.error);
  await untilReceived(theirs, others, ARRIVAL_LIMIT_MS).catch(console.error);
  console.log(`\n${title}: ${made}, all delivered to healthy receivers after ${seconds()} s`);
  const decidedFor = (endpoint: TestEndpoint): Decisions =>
    theirs.includes(endpoint) ? others : own;
  const rows = endpoints.map((endpoint) => ({
    endpoint,
    ...checkRequests(endpoint, decidedFor(endpoint), warm),
  }));
  print(rows);
  return rows;
}

function print(rows: readonly Row[]): void {
  console.table(
    rows.map(({ endpoint, delaysMs, ...counts }) => {
      const at = (share: number) => (delaysMs.length > 0 ? percentile(delaysMs, share) : '-');
      return { endpoint: endpoint.name, ...counts, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
    }),
  );
}

function p95Of(rows: readonly Row[], { name }: EndpointPlan): number {
  return percentile(rows.find(({ endpoint }) => endpoint.name === name)?.delaysMs ?? [], 0.95);
}

// When this process ends, guardians stop the servers that it started.
setTimeout(() => process.exit(1), options.minutes * 60_000).unref();
const programs = await mkdtemp(path.join(tmpdir(), 'tollgate-bench-programs-'));
await buildPrograms(programs);
const servers = await startForScript(programs);
try {
  const alone = await run('healthy receivers only', []);
  for (const dead of options.dead) {
    const beside = await run(
      `with a dead one (${dead}) and ${options.slow} slow`,
      badReceivers(dead),
    );
    for (const wanted of [...HEALTHY, OTHER]) {
      const [before, now] = [p95Of(alone, wanted), p95Of(beside, wanted)];
      const ratio = `${(now / before).toFixed(2)}x`;
      console.log(`${wanted.name}: p95 ${before} ms without, ${now} ms with them: ${ratio}`);
    }
  }
} finally {
  await servers.stop();
  await rm(programs, { recursive: true });
}
