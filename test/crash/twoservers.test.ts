/** An idempotency key has one effect on two servers, even if one of them is killed. */
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { makeKey } from '../../store/keys.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { expectOneResponse, post, postWithRetries, startPair } from './pair.ts';
import type { PostRequest, PostResponse, RetriedResponse } from './pair.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

const AT_ONCE = 50;
const CONCURRENCY = 12;
/** The number of requests of each kind during the kill. */
const REQUESTS = 24;
/** A server that dies inside a transaction leaves its locks, on a real MongoDB for a minute. */
const LIMIT_MS = 180_000;

const deployment = closeAfterTests(await openDeployment({ file: 'crash-twoservers' }));
const urls = await startPair(deployment);
const merchant = await deployment.createMerchant();
const m = tenantOf(merchant.id, 'test');

const create = (key: string): PostRequest => ({
  path: '/v1/payments',
  body: { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/', order_id: key },
  key,
});
const cancel = ({ id }: PublicPayment, key: string): PostRequest => ({
  path: `/v1/payments/${id}/cancel`,
  body: { reason: 'out of stock' },
  key,
});
const outcome = ({ id }: PublicPayment, key: string): PostRequest => ({
  path: `/v1/test/payments/${id}/outcome`,
  body: { outcome: 'approve' },
  key,
});
const refund = ({ id }: PublicPayment, key: string): PostRequest => ({
  path: '/v1/refunds',
  body: { payment_id: id, amount: 1_000 },
  key,
});

/** Sends a request `AT_ONCE` times at once, to both servers in turn. */
async function postAtOnce(
  request: PostRequest,
  apiKey = merchant.apiKey,
): Promise<RetriedResponse[]> {
  const all = Array.from({ length: AT_ONCE }, async (_, index) =>
    postWithRetries(urls[index % 2]!, apiKey, request),
  );
  return Promise.all(all);
}

async function createPaid(key: string): Promise<PublicPayment> {
  const payment = await merchant.create(key);
  return merchant.outcome(payment.id, 'approve');
}

const typesOf = async ({ id }: PublicPayment): Promise<string[]> =>
  (await merchant.events(id)).map(({ type }) => type);

describe(`${AT_ONCE} concurrent requests with one key on two servers`, () => {
  it('create one payment', async () => {
    expectOneResponse(await postAtOnce(create('at-once')), 201);
    expect(await deployment.mongo.payments.countDocuments({ m, order_id: 'at-once' })).toBe(1);
  });

  it('cancel the payment once', async () => {
    const payment = await merchant.create('to-cancel');
    expectOneResponse(await postAtOnce(cancel(payment, 'at-once')), 200);
    expect(await typesOf(payment)).toEqual(['payment.canceled']);
  });

  it('decide the payment once', async () => {
    const payment = await merchant.create('to-decide');
    expectOneResponse(await postAtOnce(outcome(payment, 'at-once')), 200);
    expect(await typesOf(payment)).toEqual(['payment.completed']);
    expect((await merchant.retrieve(payment.id)).attempts_count).toBe(1);
  });

  it('refund once, and reserve the amount once', async () => {
    const payment = await createPaid('to-refund');
    expectOneResponse(await postAtOnce(refund(payment, 'at-once')), 201);
    expect(await deployment.mongo.refunds.countDocuments({ payment_id: payment.id })).toBe(1);
    const { amount_refundable: left } = await merchant.retrieve(payment.id);
    expect(left).toBe(payment.amount - 1_000);
  });

  it('create one payment for each of two merchants, and none in live mode', async () => {
    const other = await deployment.createMerchant();
    const { key, secret } = makeKey(merchant.id, 'live', new Date());
    await deployment.mongo.keys.insertOne(key);
    const request = create('shared');
    const apiKeys = [merchant.apiKey, other.apiKey, secret];
    const all = apiKeys.map(async (apiKey) => postAtOnce(request, apiKey));
    const [mine, theirs, live] = await Promise.all(all);
    expectOneResponse(mine!, 201);
    expectOneResponse(theirs!, 201);
    expect(mine![0]!.text).not.toBe(theirs![0]!.text);
    expect(new Set(live!.map(({ status, isReplay }) => `${status} ${isReplay}`))).toEqual(
      new Set(['403 false']),
    );
    const { payments } = deployment.mongo;
    expect(await payments.countDocuments({ order_id: 'shared' })).toBe(2);
  });
});

/** A request, and its response if there was one before the kill. */
interface Sent {
  readonly request: PostRequest;
  readonly response: PostResponse | undefined;
}

const isDone = ({ response }: Sent): boolean => response !== undefined && response.status < 300;

/** Sends requests to the first server, and kills it after a third of the responses. */
async function postAndKill(requests: readonly PostRequest[]): Promise<Sent[]> {
  let responses = 0;
  let isKilled = false;
  return mapConcurrently(requests, CONCURRENCY, async (request) => {
    const response = await post(urls[0], merchant.apiKey, request).catch(() => undefined);
    responses += response === undefined ? 0 : 1;
    if (responses >= requests.length / 3 && !isKilled) {
      isKilled = true;
      deployment.server.sendKill();
    }
    return { request, response };
  });
}

describe('a server that is killed during creates, cancels and refunds', () => {
  it(
    'leaves one effect of each request after all are repeated on the other server',
    async () => {
      const names = Array.from({ length: REQUESTS }, (_, index) => `request-${index}`);
      const open = await mapConcurrently(names, CONCURRENCY, async (name) =>
        merchant.create(`${name}-open`),
      );
      const done = await mapConcurrently(names, CONCURRENCY, async (name) =>
        createPaid(`${name}-paid`),
      );
      const requests = names.flatMap((name, index) => [
        create(name),
        cancel(open[index]!, name),
        refund(done[index]!, name),
      ]);
      const sent = await postAndKill(requests);
      await deployment.server.kill();
      const before = sent.filter(isDone);
      expect(before.length).toBeGreaterThan(0);
      expect(before.length).toBeLessThan(requests.length);

      const other = urls[1];
      const repeat = async ({ request }: Sent) => postWithRetries(other, merchant.apiKey, request);
      const repeats = await mapConcurrently(sent, CONCURRENCY, repeat);
      for (const [index, { request, response }] of sent.entries()) {
        const { status, text, isReplay } = repeats[index]!;
        const expected = request.path.endsWith('/cancel') ? 200 : 201;
        expect([request, status]).toEqual([request, expected]);
        if (response && response.status < 300) {
          expect([text, isReplay]).toEqual([response.text, true]);
        }
      }
      const again = await mapConcurrently(sent, CONCURRENCY, repeat);
      expect(again.map(({ status, text, isReplay }) => ({ status, text, isReplay }))).toEqual(
        repeats.map(({ status, text }) => ({ status, text, isReplay: true })),
      );
      await deployment.server.start();

      const { payments, refunds } = deployment.mongo;
      expect(await payments.countDocuments({ m, order_id: { $in: names } })).toBe(REQUESTS);
      await mapConcurrently(open, CONCURRENCY, async (payment) => {
        expect(await typesOf(payment)).toEqual(['payment.canceled']);
      });
      await mapConcurrently(done, CONCURRENCY, async (payment) => {
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
