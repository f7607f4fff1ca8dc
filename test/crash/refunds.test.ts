/** More is wished back of a payment than was paid, by many at once, on two servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import { inLanes } from '../support/lanes.ts';
import { openPair } from './pair.ts';
import { playRound } from './refundstorm.ts';
import type { Round } from './refundstorm.ts';
import { forFile } from '../support/file.ts';

/** So many pass in well under a minute on a slow machine; a run by hand may ask for more. */
const ROUNDS = Number(process.env['REFUND_ROUNDS'] ?? 30);
/** Of those during which the worker dies. */
const ROUNDS_WITH_KILLS = 10;
const KILLS = 2;
/** A kill comes at any moment within this time after the last start: no moment is spared. */
const SPELL_MS = 1_500;
const LANES = 8;
/** For a round on a busy machine, its share of a lane. */
const ROUND_LIMIT_MS = 3_000;
/** A worker that dies inside a transaction may leave its locks, on a real MongoDB for a minute. */
const LIMIT_MS = 150_000;

const pair = forFile(await openPair({ file: 'crash-refunds' }));
await pair.start();
const merchant = await pair.stage.hire();
const ground = { merchant, mongo: pair.stage.mongo, urls: pair.urls };

async function play(count: number): Promise<Round[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return inLanes(numbers, LANES, async () => playRound(ground));
}

/** What has ended stays as it was when it had. */
async function expectEnded(rounds: readonly Round[]): Promise<void> {
  const m = tenantOf(ground.merchant.id, 'test');
  const payment_id = { $in: rounds.map(({ payment }) => payment.id) };
  const kept = await ground.mongo.refunds.find({ m, payment_id }).toArray();
  const ended = rounds.flatMap(({ refunds }) => refunds);
  expect(kept.map(({ _id, status }) => `${_id} ${status}`).toSorted()).toEqual(
    ended.map(({ id, status }) => `${id} ${status}`).toSorted(),
  );
}

async function killWorker(): Promise<void> {
  for (let kills = 0; kills < KILLS; kills += 1) {
    await sleep(Math.random() * SPELL_MS);
    await pair.stage.worker.kill();
    await pair.stage.worker.start();
  }
}

describe('refunds at once that exceed the payment', () => {
  it(
    `never give back more than was paid, and each ends and is told of once (${ROUNDS} rounds)`,
    async () => {
      const rounds = await play(ROUNDS);
      const ended = rounds.flatMap(({ refunds }) => refunds);
      const wishes = rounds.reduce((sum, round) => sum + round.wishes, 0);
      expect(ended.length).toBeLessThan(wishes);
      expect(new Set(ended.map(({ status }) => status)).size).toBeGreaterThan(1);
      expect(rounds.every(({ looks }) => looks > 0)).toBe(true);
      await expectEnded(rounds);
    },
    LIMIT_MS + ROUNDS * ROUND_LIMIT_MS,
  );

  it(
    'do so also when the worker dies meanwhile',
    async () => {
      const [rounds] = await Promise.all([play(ROUNDS_WITH_KILLS), killWorker()]);
      await expectEnded(rounds);
    },
    2 * LIMIT_MS,
  );
});
