/** The rounds of a run: each contender does the same work in turn. */
import { percentile } from '../../test/load/endpoints.ts';
import type { Contender, Made } from './contenders.ts';
import { cpuSecondsOf } from './cpu.ts';
import { measure, pace } from './lanes.ts';
import type { Measured } from './lanes.ts';
import type { Latency, Rate, Report } from './report.ts';

/** The number of endpoints of the merchant with several. */
export const FAN_OUT = 4;
/** The payments of one round that have several endpoints, and those that come at a steady pace. */
const FANNED_OUT = 48;
const PACED = 20;
const EVERY_MS = 250;

type Round = Readonly<
  Record<'create' | 'retrieve' | 'pay' | 'approve' | 'fanOut' | 'paced', Measured>
>;

interface Runner {
  readonly contender: Contender;
  readonly pids: Readonly<Record<string, number>>;
}

/** The rates of the table. The deliveries of a payment with several endpoints are counted singly. */
const RATES: readonly (readonly [keyof Round, string, number])[] = [
  ['create', 'Create a payment', 1],
  ['retrieve', 'Retrieve a payment', 1],
  ['pay', 'Pay by the pages, until the webhook', 1],
  ['approve', 'Approve by an API call, until the webhook', 1],
  ['fanOut', `Deliveries to ${FAN_OUT} endpoints of each payment`, FAN_OUT],
];

const LATENCIES: readonly (readonly [keyof Round, string])[] = [
  ['create', 'Create a payment, 16 at a time'],
  ['paced', 'From the bank’s decision to the webhook, 4 payments a second'],
];

async function makePayments(contender: Contender, count: number, endpoints: number) {
  const made: Made[] = [];
  const each = Array.from({ length: count }, (_, index) => index);
  const measured = await measure(each, async () => made.push(await contender.create(endpoints)));
  return { made, measured };
}

interface Options {
  readonly rounds: number;
  readonly payments: number;
}

/** Runs one round. The processor time is that of creating, reading and completing payments. */
async function run({ contender, pids }: Runner, payments: number) {
  const cpuSeconds = cpuSecondsOf(pids);
  const { made, measured: create } = await makePayments(contender, payments, 1);
  const retrieve = await measure(made, async (one) => contender.retrieve(one));
  const half = made.length / 2;
  const pay = await measure(made.slice(0, half), async (one) => contender.pay(one));
  const approve = await measure(made.slice(half), async (one) => contender.approve(one));
  const cpu = cpuSeconds();
  const fanned = await makePayments(contender, FANNED_OUT, FAN_OUT);
  const fanOut = await measure(fanned.made, async (one) => contender.approve(one));
  const slow = await makePayments(contender, PACED, 1);
  const paced = await pace(slow.made, EVERY_MS, async (one) => contender.approve(one));
  const round: Round = { create, retrieve, pay, approve, fanOut, paced };
  return { round, cpu };
}

/** Runs Tollgate and the floor in turn, after a round that does not count. */
export async function race(
  runners: readonly [Runner, Runner],
  { rounds, payments }: Options,
): Promise<Pick<Report, 'rates' | 'latencies' | 'cpuMs'>> {
  for (const runner of runners) await run(runner, payments);
  const all = runners.map((): Round[] => []);
  const cpuMs: Record<string, Record<string, number>> = {};
  for (let number = 0; number < rounds; number += 1) {
    for (const [index, runner] of runners.entries()) {
      const { round, cpu } = await run(runner, payments);
      all[index]?.push(round);
      const sum = (cpuMs[runner.contender.name] ??= {});
      for (const [name, seconds] of Object.entries(cpu)) {
        sum[name] = (sum[name] ?? 0) + (seconds * 1_000) / (payments * rounds);
      }
    }
  }
  const [ours = [], floors = []] = all;
  return {
    rates: RATES.map(([key, name, each]) => rateOf(name, each, pairs(key, ours, floors))),
    latencies: LATENCIES.map(([key, name]) => latencyOf(name, pairs(key, ours, floors))),
    cpuMs,
  };
}

type Pair = readonly [own: Measured, floor: Measured];

const pairs = (key: keyof Round, ours: readonly Round[], floors: readonly Round[]): Pair[] =>
  ours.flatMap((own, index) => {
    const floor = floors[index];
    return floor ? [[own[key], floor[key]] as const] : [];
  });

function rateOf(name: string, each: number, all: readonly Pair[]): Rate {
  const ratios = all.map(([own, floor]) => own.perSecond / floor.perSecond);
  return {
    name,
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    perSecond: each * median(all.map(([own]) => own.perSecond)),
    floorPerSecond: each * median(all.map(([, floor]) => floor.perSecond)),
  };
}

function latencyOf(name: string, all: readonly Pair[]): Latency {
  const sorted = (side: 0 | 1) =>
    all.flatMap((pair) => pair[side].durationsMs).toSorted((a, b) => a - b);
  const [own, floor] = [sorted(0), sorted(1)];
  return {
    name,
    p50Ms: percentile(own, 0.5),
    p99Ms: percentile(own, 0.99),
    floorP50Ms: percentile(floor, 0.5),
    floorP99Ms: percentile(floor, 0.99),
  };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
