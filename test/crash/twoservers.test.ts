/** One idempotency key on two servers has one effect, also when one of them is killed. */
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { makeKey } from '../../store/keys.ts';
import { inLanes } from '../support/lanes.ts';
import { expectOneAnswer, insist, openPair, post } from './pair.ts';
import type { Insisted, Post, Told } from './pair.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/file.ts';

const CROWD = 50;
const LANES = 12;
/** Of each kind of call in the stream that a kill cuts off. */
const STREAM = 24;
/** A server that dies inside a transaction leaves its locks, on a real MongoDB for a minute. */
const LIMIT_MS = 90_000;

const pair = forFile(await openPair({ file: 'crash-twoservers' }));
await pair.start();
const merchant = await pair.stage.hire();
const m = tenantOf(merchant.id, 'test');

const create = (key: string): Post => ({
  path: '/v1/payments',
  body: { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/', order_id: key },
  key,
});
const cancel = ({ id }: PublicPayment, key: string): Post => ({
  path: `/v1/payments/${id}/cancel`,
  body: { reason: 'out of stock' },
  key,
});
const outcome = ({ id }: PublicPayment, key: string): Post => ({
  path: `/v1/test/payments/${id}/outcome`,
  body: { outcome: 'approve' },
  key,
});
const refund = ({ id }: PublicPayment, key: string): Post => ({
  path: '/v1/refunds',
  body: { payment_id: id, amount: 1_000 },
  key,
});

/** The same call so many times at once, to both servers in turn. */
async function crowd(sent: Post, apiKey = merchant.apiKey): Promise<Insisted[]> {
  const many = Array.from({ length: CROWD }, (_, index) => pair.urls[index % 2]!);
  return Promise.all(many.map(async (url) => insist(url, apiKey, sent)));
}

async function paid(key: string): Promise<PublicPayment> {
  const payment = await merchant.create(key);
  return merchant.outcome(payment.id, 'approve');
}

const typesOf = async ({ id }: PublicPayment): Promise<string[]> =>
  (await merchant.events(id)).map(({ type }) => type);

describe(`${CROWD} requests with one key at once on two servers`, () => {
  it('make one payment', async () => {
    expectOneAnswer(await crowd(create('crowd')), 201);
    expect(await pair.stage.mongo.payments.countDocuments({ m, order_id: 'crowd' })).toBe(1);
  });

  it('cancel once', async () => {
    const payment = await merchant.create('to-cancel');
    expectOneAnswer(await crowd(cancel(payment, 'crowd')), 200);
    expect(await typesOf(payment)).toEqual(['payment.canceled']);
  });

  it('decide once', async () => {
    const payment = await merchant.create('to-decide');
    expectOneAnswer(await crowd(outcome(payment, 'crowd')), 200);
    expect(await typesOf(payment)).toEqual(['payment.completed']);
    expect((await merchant.retrieve(payment.id)).attempts_count).toBe(1);
  });

  it('refund once, and reserve the amount once', async () => {
    const payment = await paid('to-refund');
    expectOneAnswer(await crowd(refund(payment, 'crowd')), 201);
    expect(await pair.stage.mongo.refunds.countDocuments({ payment_id: payment.id })).toBe(1);
    const { amount_refundable: left } = await merchant.retrieve(payment.id);
    expect(left).toBe(payment.amount - 1_000);
  });

  it('of two merchants make one payment for each, and none for the live mode', async () => {
    const other = await pair.stage.hire();
    const { key, secret } = makeKey(merchant.id, 'live', new Date());
    await pair.stage.mongo.keys.insertOne(key);
    const sent = create('crowd-of-all');
    const all = [merchant.apiKey, other.apiKey, secret].map(async (apiKey) => crowd(sent, apiKey));
    const [mine, theirs, live] = await Promise.all(all);
    expectOneAnswer(mine!, 201);
    expectOneAnswer(theirs!, 201);
    expect(mine![0]!.text).not.toBe(theirs![0]!.text);
    expect(new Set(live!.map(({ status, isReplay }) => `${status} ${isReplay}`))).toEqual(
      new Set(['403 false']),
    );
    const { payments } = pair.stage.mongo;
    expect(await payments.countDocuments({ order_id: 'crowd-of-all' })).toBe(2);
  });
});

/** A call, and what was answered before the server died. */
interface Cut {
  readonly sent: Post;
  readonly told: Told | undefined;
}

/** Sends them to the first server, which is killed when a third of them is answered. */
async function sendAndKill(stream: readonly Post[]): Promise<Cut[]> {
  let answered = 0;
  let isStruck = false;
  return inLanes(stream, LANES, async (sent) => {
    const told = await post(pair.urls[0], merchant.apiKey, sent).catch(() => undefined);
    answered += told === undefined ? 0 : 1;
    if (answered >= stream.length / 3 && !isStruck) {
      isStruck = true;
      pair.stage.server.strike();
    }
    return { sent, told };
  });
}

describe('a server that is killed amid creates, cancels and refunds', () => {
  it(
    'leaves one effect of each when all are repeated at the other server',
    async () => {
      const names = Array.from({ length: STREAM }, (_, index) => `stream-${index}`);
      const open = await inLanes(names, LANES, async (name) => merchant.create(`${name}-open`));
      const done = await inLanes(names, LANES, async (name) => paid(`${name}-paid`));
      const stream = names.flatMap((name, index) => [
        create(name),
        cancel(open[index]!, name),
        refund(done[index]!, name),
      ]);
      const cuts = await sendAndKill(stream);
      await pair.stage.server.kill();
      const before = cuts.filter(({ told }) => told !== undefined && told.status < 300);
      expect(before.length).toBeGreaterThan(0);
      expect(before.length).toBeLessThan(stream.length);

      const other = pair.urls[1];
      const repeat = async ({ sent }: Cut) => insist(other, merchant.apiKey, sent);
      const repeats = await inLanes(cuts, LANES, repeat);
      for (const [index, { sent, told }] of cuts.entries()) {
        const { status, text, isReplay } = repeats[index]!;
        expect([sent, status]).toEqual([sent, sent.path.endsWith('/cancel') ? 200 : 201]);
        if (told && told.status < 300) expect([text, isReplay]).toEqual([told.text, true]);
      }
      const again = await inLanes(cuts, LANES, repeat);
      expect(again.map(({ status, text, isReplay }) => ({ status, text, isReplay }))).toEqual(
        repeats.map(({ status, text }) => ({ status, text, isReplay: true })),
      );
      await pair.stage.server.start();

      const { payments, refunds } = pair.stage.mongo;
      expect(await payments.countDocuments({ m, order_id: { $in: names } })).toBe(STREAM);
      await inLanes(open, LANES, async (payment) => {
        expect(await typesOf(payment)).toEqual(['payment.canceled']);
      });
      await inLanes(done, LANES, async (payment) => {
        expect(await refunds.countDocuments({ payment_id: payment.id })).toBe(1);
        const read = async () => merchant.retrieve(payment.id);
        await until(read, ({ amount_refunded: sum }) => sum === 1_000, LIMIT_MS);
        const { amount_refundable: left } = await read();
        expect(left).toBe(payment.amount - 1_000);
        expect((await typesOf(payment)).toSorted()).toEqual([
          'payment.completed',
          'payment.refunded',
          'refund.completed',
          'refund.created',
        ]);
      });
    },
    3 * LIMIT_MS,
  );
});
