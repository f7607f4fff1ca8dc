/** Healthy receivers get everything in time, although others are bad. */
import { afterAll, describe, expect, it } from 'vitest';
import {
  checkRequests,
  openEndpoints,
  percentile,
  decidePayments,
  untilReceived,
} from './endpoints.ts';
import type { TestEndpoint, Decisions, EndpointPlan } from './endpoints.ts';
import type { Received } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

const EVENTS = 50;
/** Events before the first round, to warm up the programs. */
const WARM_UP = 10;
const CONCURRENCY = 8;
/** Events of the other merchant in a round. */
const OTHERS = 5;
/** A busy machine may delay any delivery by this time. */
const NOISE_MS = 1_200;
/** On an idle machine the ratio is 2 (`npm run bench:webhooks`). */
const MAX_RATIO = 3;
/** Other programs may slow down one of two rounds, but hardly the same one three times in a row. */
const TRIES = 3;
/**
 * A hanging receiver gets 20 requests at once, and 20 more when these time out. Without this limit,
 * three of them would take all 100 slots of a worker, more than 30 each.
 */
const MAX_AT_ONCE = 30;
const TIMEOUT_MS = 20_000;
const LIMIT_MS = 300_000;

const HEALTHY: readonly EndpointPlan[] = [
  { name: 'everything', manner: 'healthy' },
  { name: 'completed only', manner: 'healthy', events: 'payment.completed' },
];
const BAD: readonly EndpointPlan[] = [
  { name: 'refused', manner: 'refused' },
  { name: 'slow', manner: 'slow', slowMs: 2_000 },
  ...[1, 2, 3].map((n) => ({ name: `hanging ${n}`, manner: 'hanging' as const })),
];

// No delivery to a hanging receiver has failed by the end of a round.
const env = { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS), WEBHOOK_SCHEDULE: '0,5,3600' };
const deployment = closeAfterTests(await openDeployment({ file: 'fairness', env }));
await deployment.start();
const [merchant, other] = await Promise.all([
  deployment.createMerchant(),
  deployment.createMerchant(),
]);
const healthy = await openEndpoints(deployment, merchant, HEALTHY);
const theirs = await openEndpoints(deployment, other, [
  { name: 'other merchant', manner: 'healthy' },
]);

afterAll(async () => {
  await closeReceivers([...healthy, ...theirs]);
});

async function closeReceivers(endpoints: readonly TestEndpoint[]): Promise<void> {
  for (const { receiver } of endpoints) await receiver?.close();
}

/** All decided payments of each of the two merchants. */
const decisions: Decisions = new Map();
const decisionsOfOther: Decisions = new Map();

interface Round {
  readonly decided: Decisions;
  /** The 95th percentile of the delays of each healthy receiver. */
  readonly p95s: readonly number[];
}

/** Creates events and waits until every healthy receiver has got them. */
async function runRound(events = EVENTS): Promise<Round> {
  const before = new Map(decisions);
  const decided = await decidePayments(merchant, events, CONCURRENCY);
  for (const [id, type] of decided) decisions.set(id, type);
  await untilReceived(healthy, decisions, LIMIT_MS);
  const receipts = healthy.map((endpoint) => checkRequests(endpoint, decided, before));
  expect(receipts).toMatchObject([
    { arrived: events, repeats: 0, misdirected: 0 },
    { arrived: events * 0.8, repeats: 0, misdirected: 0 },
  ]);
  return { decided, p95s: receipts.map(({ delaysMs }) => percentile(delaysMs, 0.95)) };
}

/** Runs a round with bad receivers of the same merchant, and removes them afterwards. */
async function runRoundBesideBad(): Promise<Round> {
  const bad = await openEndpoints(deployment, merchant, BAD);
  try {
    const [beside, others] = await Promise.all([runRound(), decidePayments(other, OTHERS, 1)]);
    for (const endpoint of bad) await expectLimited(endpoint, beside.decided);

    for (const [id, type] of others) decisionsOfOther.set(id, type);
    await untilReceived(theirs, decisionsOfOther, LIMIT_MS);
    const receipts = theirs.map((endpoint) => checkRequests(endpoint, decisionsOfOther));
    expect(receipts).toMatchObject([
      { arrived: decisionsOfOther.size, repeats: 0, misdirected: 0 },
    ]);
    return beside;
  } finally {
    const ids = { $in: bad.map(({ id }) => id) };
    await deployment.mongo.endpoints.updateMany({ _id: ids }, { $set: { status: 'deleted' } });
    await closeReceivers(bad);
  }
}

/** Returns the highest number of requests within half a timeout, when none had timed out yet. */
function mostAtOnce(requests: readonly Received[]): number {
  const counts = requests.map(
    ({ at: from }) => requests.filter(({ at }) => at >= from && at < from + TIMEOUT_MS / 2).length,
  );
  return Math.max(...counts);
}

/** Expects a bad receiver to get only its own events, few at once, and to lose no delivery. */
async function expectLimited(endpoint: TestEndpoint, decided: Decisions): Promise<void> {
  const requests = endpoint.receiver?.requests ?? [];
  if (endpoint.manner === 'hanging') expect(mostAtOnce(requests)).toBeLessThan(MAX_AT_ONCE);
  const rows = async () => deployment.mongo.deliveries.find({ endpoint_id: endpoint.id }).toArray();
  if (endpoint.receiver) {
    expect(requests).not.toHaveLength(0);
    expect(checkRequests(endpoint, decided).misdirected).toBe(0);
  } else await until(rows, (all) => all.some(({ attempts }) => attempts.length > 0));
  // Deliveries that had to wait are not lost.
  const deliveries = await rows();
  expect(deliveries).toHaveLength(EVENTS);
  const states = new Set(deliveries.map(({ state }) => state));
  if (endpoint.manner === 'slow') states.delete('succeeded');
  expect([...states].filter((state) => state !== 'pending')).toEqual([]);
}

describe('dead and slow receivers', () => {
  it(
    'neither delay nor receive the deliveries of healthy ones',
    async () => {
      await runRound(WARM_UP);
      let before = await runRound();
      const slower: string[] = [];
      for (let tries = 0; tries < TRIES; tries += 1) {
        const beside = await runRoundBesideBad();
        const after = await runRound();
        const late = healthy.flatMap(({ name }, index) => {
          const alone = Math.max(before.p95s[index]!, after.p95s[index]!, NOISE_MS);
          const p95 = beside.p95s[index]!;
          return p95 > MAX_RATIO * alone ? [`${name}: ${p95} ms, alone ${alone} ms`] : [];
        });
        if (late.length === 0) return;
        slower.push(...late);
        before = after;
      }
      throw new Error(
        `${TRIES} rounds were more than ${MAX_RATIO} times as late: ${slower.join('; ')}`,
      );
    },
    5 * LIMIT_MS,
  );
});
