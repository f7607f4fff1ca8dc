/**
 * Measures Tollgate beside the floor: the least program that does the same work on the same
 * servers. Both run in turn, and each figure is the median of their ratios.
 *
 * Run: `npm run bench -- [--rounds 5] [--payments 200]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../test/load/endpoints.ts';
import { buildPrograms } from '../test/support/build.ts';
import { openDeployment, withDatabase } from '../test/support/servers/deployment.ts';
import { startForScript } from '../test/support/servers/script.ts';
import { cpuSecondsOf } from './speed/cpu.ts';
import { startFloor, tollgate } from './speed/contenders.ts';
import type { Contender } from './speed/contenders.ts';
import { measure } from './speed/lanes.ts';
import type { Measured } from './speed/lanes.ts';
import { openReceiver } from './speed/receiver.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    payments: { type: 'string', default: '200' },
  },
});
const rounds = Number(values.rounds);
const payments = Number(values.payments);

type Figures = Readonly<Record<'create' | 'retrieve' | 'pay' | 'approve', Measured>>;

/** Creates payments, retrieves each one, and completes one half by the pages, the other by call. */
async function run(contender: Contender): Promise<Figures> {
  const made: Awaited<ReturnType<Contender['create']>>[] = [];
  const each = Array.from({ length: payments }, (_, index) => index);
  const create = await measure(each, async () => made.push(await contender.create()));
  const retrieve = await measure(made, async (one) => contender.retrieve(one));
  const half = made.length / 2;
  const pay = await measure(made.slice(0, half), async (one) => contender.pay(one));
  const approve = await measure(made.slice(half), async (one) => contender.approve(one));
  return { create, retrieve, pay, approve };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const programs = await mkdtemp(path.join(tmpdir(), 'tollgate-bench-programs-'));
await buildPrograms(programs);
const servers = await startForScript(programs);
const env = {
  LOG_LEVEL: 'info',
  SWEEP_SECONDS: '30',
  SWEEP_PAYMENT_GRACE_SECONDS: '15',
  SWEEP_DELIVERY_GRACE_SECONDS: '60',
  PAYMENT_LIFETIME_MIN_SECONDS: '300',
};
const receiver = await openReceiver();
const deployment = await openDeployment({ file: 'speed', env });
const floor = await startFloor(
  {
    address: servers.temporal.address,
    namespace: 'default',
    mongoUri: withDatabase(servers.mongo.uri, 'floor'),
    receivers: [receiver.url],
  },
  receiver,
);
try {
  await deployment.start();
  const merchant = await deployment.createMerchant(receiver.url);
  const ours = tollgate(deployment, merchant, receiver);
  const contenders = [ours, floor.contender];
  const shared = { MongoDB: servers.mongo.pid ?? 0, Temporal: servers.temporal.pid ?? 0 };
  const pids = [
    { server: deployment.server.pid(), worker: deployment.worker.pid(), ...shared },
    { ...floor.pids, ...shared },
  ];
  for (const contender of contenders) await run(contender);
  const all: Figures[][] = contenders.map(() => []);
  const cpuMs = contenders.map((): Record<string, number> => ({}));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const cpu = cpuSecondsOf(pids[index] ?? {});
      all[index]?.push(await run(contender));
      for (const [name, seconds] of Object.entries(cpu())) {
        const each = (seconds * 1_000) / (payments * rounds);
        cpuMs[index] = { ...cpuMs[index], [name]: (cpuMs[index]?.[name] ?? 0) + each };
      }
    }
  }
  console.log('Processor time for each payment, in ms:');
  console.table(Object.fromEntries(contenders.map(({ name }, index) => [name, cpuMs[index]])));
  const [of = [], beside = []] = all;
  const names = ['create', 'retrieve', 'pay', 'approve'] as const;
  const rows = names.map((name) => {
    const ratios = of.map((figures, round) => {
      return figures[name].perSecond / (beside[round]?.[name].perSecond ?? Number.NaN);
    });
    const rate = (figures: readonly Figures[]) =>
      Math.round(median(figures.map((one) => one[name].perSecond)));
    const p50 = (figures: readonly Figures[], share: number) =>
      Math.round(median(figures.map((one) => percentile(one[name].durationsMs, share))));
    return {
      figure: name,
      ratio: median(ratios).toFixed(2),
      from: Math.min(...ratios).toFixed(2),
      to: Math.max(...ratios).toFixed(2),
      'per second': rate(of),
      'of the floor': rate(beside),
      'p50 ms': p50(of, 0.5),
      'p99 ms': p50(of, 0.99),
      'floor p99': p50(beside, 0.99),
    };
  });
  console.table(rows);
} finally {
  floor.close();
  await deployment.close();
  receiver.close();
  await servers.stop();
  await rm(programs, { recursive: true });
}
