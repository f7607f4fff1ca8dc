/** Bad receivers beside healthy ones: the healthy hear everything, as soon as ever. */
import { afterAll, describe, expect, it } from 'vitest';
import { judgeEar, openEars, percentile, play, untilHeard } from './crowd.ts';
import type { Ear, Played, Wanted } from './crowd.ts';
import type { Merchant } from '../support/merchant.ts';
import { openStage } from '../support/servers/processes.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/file.ts';

const EVENTS = 50;
/** So that the first round finds warm programs. */
const WARM_UP = 10;
const LANES = 8;
const OTHERS = 5;
/** A busy machine delays a delivery for as long without anybody's fault. */
const NOISE_MS = 1_200;
/** It is 2 by itself (`npm run bench:webhooks`); this machine may do other things meanwhile. */
const MAX_RATIO = 3;
/** Other programs may burden one of two rounds alone, but hardly three times the same one. */
const TRIES = 3;
/**
 * A receiver that hangs gets 20 requests at once, and a few more when these are given up. Three of
 * them would take all 100 slots of a worker, more than 30 each, were they not kept from it.
 */
const MAX_TAKEN = 30;
const LIMIT_MS = 120_000;

const HEALTHY: readonly Wanted[] = [
  { name: 'everything', manner: 'healthy' },
  { name: 'completed only', manner: 'healthy', events: 'payment.completed' },
];
const BAD: readonly Wanted[] = [
  { name: 'refused', manner: 'refused' },
  { name: 'slow', manner: 'slow', slowMs: 2_000 },
  ...[1, 2, 3].map((n) => ({ name: `hanging ${n}`, manner: 'hanging' as const })),
];

let merchant: Merchant;
let other: Merchant;

// Nothing that hangs is given up during a round, and no delivery of its event has failed by then.
const env = { WEBHOOK_TIMEOUT_MS: '20000', WEBHOOK_SCHEDULE: '0,5,3600' };
const stage = forFile(await openStage({ file: 'fairness', env }));
await stage.start();
[merchant, other] = await Promise.all([stage.hire(), stage.hire()]);
const healthy = await openEars(stage, merchant, HEALTHY);
const theirs = await openEars(stage, other, [{ name: 'other merchant', manner: 'healthy' }]);

afterAll(async () => {
  await closeReceivers([...healthy, ...theirs]);
});

async function closeReceivers(ears: readonly Ear[]): Promise<void> {
  for (const { receiver } of ears) await receiver?.close();
}

/** Everything of each of the two merchants so far. */
const sofar: Played = new Map();
const theirsSofar: Played = new Map();

interface Round {
  readonly played: Played;
  /** Of each healthy receiver. */
  readonly p95s: readonly number[];
}

/** Makes events until every healthy receiver has heard of them. */
async function round(events = EVENTS): Promise<Round> {
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

/** The same with bad receivers of the same merchant, which are gone afterwards. */
async function roundBesideBad(): Promise<Round> {
  const bad = await openEars(stage, merchant, BAD);
  try {
    const [beside, others] = await Promise.all([round(), play(other, OTHERS, 1)]);
    for (const ear of bad) await expectCurbed(ear, beside.played);

    for (const [id, type] of others) theirsSofar.set(id, type);
    await untilHeard(theirs, theirsSofar, LIMIT_MS);
    const told = theirs.map((ear) => judgeEar(ear, theirsSofar));
    expect(told).toMatchObject([{ arrived: theirsSofar.size, repeats: 0, misdirected: 0 }]);
    return beside;
  } finally {
    const ids = { $in: bad.map(({ id }) => id) };
    await stage.mongo.endpoints.updateMany({ _id: ids }, { $set: { status: 'deleted' } });
    await closeReceivers(bad);
  }
}

/** It was tried, takes no more than its share, hears what it should, and will hear all of it. */
async function expectCurbed(ear: Ear, played: Played): Promise<void> {
  const requests = ear.receiver?.requests ?? [];
  if (ear.manner === 'hanging') expect(requests.length).toBeLessThan(MAX_TAKEN);
  const rows = async () => stage.mongo.deliveries.find({ endpoint_id: ear.id }).toArray();
  if (ear.receiver) {
    expect(requests).not.toHaveLength(0);
    expect(judgeEar(ear, played).misdirected).toBe(0);
  } else await until(rows, (all) => all.some(({ attempts }) => attempts.length > 0));
  // Nothing is lost by being turned away.
  const all = await rows();
  expect(all).toHaveLength(EVENTS);
  const states = new Set(all.map(({ state }) => state));
  if (ear.manner === 'slow') states.delete('succeeded');
  expect([...states].filter((state) => state !== 'pending')).toEqual([]);
}

describe('receivers that are dead or slow', () => {
  it(
    'neither delay nor misdirect what is for the healthy ones beside them',
    async () => {
      await round(WARM_UP);
      let before = await round();
      const slower: string[] = [];
      for (let tries = 0; tries < TRIES; tries += 1) {
        const beside = await roundBesideBad();
        const after = await round();
        const late = healthy.flatMap(({ name }, index) => {
          const alone = Math.max(before.p95s[index]!, after.p95s[index]!, NOISE_MS);
          const p95 = beside.p95s[index]!;
          return p95 > MAX_RATIO * alone ? [`${name}: ${p95} ms, alone ${alone} ms`] : [];
        });
        if (late.length === 0) return;
        slower.push(...late);
        before = after;
      }
      throw new Error(`Later than ${MAX_RATIO} times, time and again: ${slower.join('; ')}`);
    },
    5 * LIMIT_MS,
  );
});
