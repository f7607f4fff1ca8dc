/** Concurrent refunds on two servers ask for more than was paid. */
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { startPair } from './pair.ts';
import { killRepeatedly } from './paymentstorm.ts';
import { runRound } from './refundstorm.ts';
import type { Round } from './refundstorm.ts';
import { closeAfterTests } from '../support/close.ts';

/** The default takes well under a minute on a slow machine. Set `REFUND_ROUNDS` for a longer run. */
const ROUNDS = Number(process.env['REFUND_ROUNDS'] ?? 20);
const ROUNDS_WITH_KILLS = 8;
const KILLS = 2;
const CONCURRENCY = 8;
/** The time of a round on a busy machine, divided by the concurrency. */
const ROUND_LIMIT_MS = 6_000;
/** A worker that dies inside a transaction may leave its locks, on a real MongoDB for a minute. */
const LIMIT_MS = 300_000;

const deployment = closeAfterTests(await openDeployment({ file: 'crash-refunds' }));
const urls = await startPair(deployment);
const merchant = await deployment.createMerchant();
const service = { merchant, mongo: deployment.mongo, urls };

async function runRounds(count: number): Promise<Round[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return mapConcurrently(numbers, CONCURRENCY, async () => runRound(service));
}

/** Expects the stored refunds to be those of the rounds, with the same final statuses. */
async function expectUnchanged(rounds: readonly Round[]): Promise<void> {
  const m = tenantOf(merchant.id, 'test');
  const payment_id = { $in: rounds.map(({ payment }) => payment.id) };
  const kept = await deployment.mongo.refunds.find({ m, payment_id }).toArray();
  const ended = rounds.flatMap(({ refunds }) => refunds);
  expect(kept.map(({ _id, status }) => `${_id} ${status}`).toSorted()).toEqual(
    ended.map(({ id, status }) => `${id} ${status}`).toSorted(),
  );
}

describe('concurrent refunds that exceed the payment', () => {
  it(
    `never return more than was paid, and each refund ends with one event (${ROUNDS} rounds)`,
    async () => {
      const rounds = await runRounds(ROUNDS);
      const ended = rounds.flatMap(({ refunds }) => refunds);
      const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
      expect(ended.length).toBeLessThan(requests);
      expect(new Set(ended.map(({ status }) => status)).size).toBeGreaterThan(1);
      expect(rounds.every(({ checks }) => checks > 0)).toBe(true);
      await expectUnchanged(rounds);
    },
    LIMIT_MS + ROUNDS * ROUND_LIMIT_MS,
  );

  it(
    'never return more than was paid while the worker is killed',
    async () => {
      const kills = killRepeatedly(deployment.worker, KILLS);
      const [rounds] = await Promise.all([runRounds(ROUNDS_WITH_KILLS), kills]);
      await expectUnchanged(rounds);
    },
    2 * LIMIT_MS,
  );
});
