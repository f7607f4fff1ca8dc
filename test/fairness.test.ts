/** Bad receivers beside healthy ones: the healthy hear everything, as soon as ever. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { judgeEar, openEars, percentile, play, untilHeard } from './support/crowd.ts';
import type { Ear, Played, Wanted } from './support/crowd.ts';
import type { Merchant } from './support/merchant.ts';
import { openStage } from './support/processes.ts';
import type { Stage } from './support/processes.ts';

const EVENTS = 50;
/** So that the first round finds warm programs. */
const WARM_UP = 10;
const LANES = 8;
const OTHERS = 5;
/** A busy machine delays a delivery for as long without anybody's fault. */
const NOISE_MS = 1_200;
/** It is 2 by itself (`npm run bench:webhooks`); this machine may do other things meanwhile. */
const MAX_RATIO = 3;
const LIMIT_MS = 60_000;

const HEALTHY: readonly Wanted[] = [
  { name: 'everything', manner: 'healthy' },
  { name: 'completed only', manner: 'healthy', events: 'payment.completed' },
];
const BAD: readonly Wanted[] = [
  { name: 'refused', manner: 'refused' },
  { name: 'hanging', manner: 'hanging' },
  { name: 'slow', manner: 'slow', slowMs: 2_000 },
];

let stage: Stage;
let merchant: Merchant;
let other: Merchant;
let healthy: Ear[] = [];
let bad: Ear[] = [];
let theirs: Ear[] = [];

beforeAll(async () => {
  const env = { WEBHOOK_TIMEOUT_MS: '15000', WEBHOOK_SCHEDULE: '0,5,30,120' };
  stage = await openStage({ file: 'fairness', env });
  await stage.start();
  [merchant, other] = await Promise.all([stage.hire(), stage.hire()]);
  healthy = await openEars(stage, merchant, HEALTHY);
  theirs = await openEars(stage, other, [{ name: 'other merchant', manner: 'healthy' }]);
});

afterAll(async () => {
  await stage?.close();
  for (const { receiver } of [...healthy, ...bad, ...theirs]) await receiver?.close();
});

/** Everything of the merchant so far. */
const sofar: Played = new Map();

/** Makes events until every healthy receiver has heard of them; answers the p95 of each. */
async function round(events = EVENTS): Promise<{ played: Played; p95s: number[] }> {
  const before = new Map(sofar);
  const played = await play(merchant, events, LANES);
  for (const [id, type] of played) sofar.set(id, type);
  await untilHeard(healthy, sofar, LIMIT_MS);
  const heard = healthy.map((ear) => judgeEar(ear, played, before));
  expect(heard).toMatchObject([
    { arrived: events, repeats: 0, misdirected: 0 },
    { arrived: events * 0.8, repeats: 0, misdirected: 0 },
  ]);
  return { played, p95s: heard.map(({ delaysMs }) => percentile(delaysMs, 0.95)) };
}

describe('receivers that are dead or slow', () => {
  it(
    'neither delay nor misdirect what is for the healthy ones beside them',
    async () => {
      await round(WARM_UP);
      const first = await round();
      bad = await openEars(stage, merchant, BAD);
      const [beside, others] = await Promise.all([round(), play(other, OTHERS, 1)]);
      const { endpoints, deliveries } = stage.mongo;
      const ids = { $in: bad.map(({ id }) => id) };
      const waiting = await deliveries.find({ endpoint_id: ids }).toArray();
      await endpoints.updateMany({ _id: ids }, { $set: { status: 'disabled' } });
      const last = await round();

      healthy.forEach((_, index) => {
        const alone = Math.max(first.p95s[index]!, last.p95s[index]!, NOISE_MS);
        expect(beside.p95s[index]!).toBeLessThanOrEqual(MAX_RATIO * alone);
      });

      await untilHeard(theirs, others, LIMIT_MS);
      const told = theirs.map((ear) => judgeEar(ear, others));
      expect(told).toMatchObject([{ arrived: OTHERS, repeats: 0, misdirected: 0 }]);
      for (const ear of bad) {
        expect(judgeEar(ear, beside.played).misdirected).toBe(0);
        // Nothing is lost by being turned away.
        const mine = waiting.filter((row) => row.endpoint_id === ear.id);
        expect(mine).toHaveLength(EVENTS);
        const states = new Set(mine.map(({ state }) => state));
        if (ear.manner === 'slow') states.delete('succeeded');
        expect([...states].filter((state) => state !== 'pending')).toEqual([]);
      }
    },
    3 * LIMIT_MS,
  );
});
