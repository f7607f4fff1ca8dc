/** A copy of MongoDB alone is restored, beside a Temporal that knows nothing, or too much. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PublicPayment } from '../../domain/wire.ts';
import { closeAfterTests } from '../support/close.ts';
import { copyDatabase } from '../support/copy.ts';
import { chooseOutcome, enterCard, payWithOutcome } from '../support/customer.ts';
import { makeMerchant } from '../support/merchant.ts';
import type { Merchant } from '../support/merchant.ts';
import { openDatabase } from '../support/mongo.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 120_000;
/** Long enough to be accepted by a busy server, and over soon after the copy. */
const SOON_MS = 15_000;
/** A second attempt comes soon, and a third one after a day. */
const SCHEDULE = { WEBHOOK_SCHEDULE: '0,3,86400' };

const receiver = closeAfterTests(await openReceiver());
const used = closeAfterTests(await openDeployment({ file: 'restore-used', env: SCHEDULE }));

/** Opens an installation with the same key, an empty database and an empty Temporal. */
async function openSpare(): Promise<Deployment> {
  const { ENCRYPTION_KEY = '' } = used.env;
  const env = { ...SCHEDULE, ENCRYPTION_KEY };
  const spare = await openDeployment({ file: 'restore-spare', env });
  onTestFinished(async () => spare.close());
  return spare;
}

const soon = () => ({ expires_at: new Date(Date.now() + SOON_MS).toISOString() });

/** Returns the merchant as the API of another installation knows it. */
const at = (deployment: Deployment, { id, apiKey, secret }: Merchant): Merchant =>
  makeMerchant({ id, apiKey, secret, apiUrl: deployment.apiUrl });

/** Returns the requests about a payment, in order. */
const about = ({ requests }: Receiver, merchant: Merchant, { id }: PublicPayment): Received[] =>
  requests.filter((request) => {
    const { data } = verify(request, merchant.secret);
    return [data.object.id, Reflect.get(data.object, 'payment_id')].includes(id);
  });

const untilStatus = async (merchant: Merchant, { id }: PublicPayment, status: string) =>
  until(
    async () => (await merchant.retrieve(id)).status,
    (now) => now === status,
    LIMIT_MS,
  );

async function typesOf(merchant: Merchant, { id }: PublicPayment): Promise<string[]> {
  return (await merchant.events(id)).map(({ type }) => type).toSorted();
}

const untilDelivered = async ({ mongo }: Deployment): Promise<unknown> =>
  until(
    async () => mongo.deliveries.countDocuments({ state: 'pending' }),
    (count) => count === 0,
    LIMIT_MS,
  );

async function refund(merchant: Merchant, { id }: PublicPayment, outcome: string): Promise<void> {
  const body = { payment_id: id, amount: 1_000, metadata: { test_outcome: outcome } };
  await merchant.call('POST', '/v1/refunds', body, `refund-${id}`);
}

describe('a copy of MongoDB beside an empty Temporal', () => {
  it(
    'finishes every open payment and delivers every pending webhook',
    async () => {
      await used.start();
      const before = await used.createMerchant(receiver.url);
      const create = async (name: string) => before.create(name);
      const finished = await create('finished');
      await payWithOutcome(finished, 'approve');
      await untilStatus(before, finished, 'completed');
      await until(
        () => about(receiver, before, finished),
        ({ length }) => length === 1,
        LIMIT_MS,
      );
      const [fresh, opened, atBank, delayed, refunded] = await Promise.all(
        ['fresh', 'opened', 'at-bank', 'delayed', 'refunded'].map(create),
      );
      await fetch(opened!.checkout_url);
      const bank = new URL(await enterCard(atBank!)).pathname;
      await payWithOutcome(refunded!, 'approve');
      await untilStatus(before, refunded!, 'completed');
      // The first attempt fails before the copy, and later ones succeed after it.
      receiver.respond = () => ({ status: 503 });
      const retried = await create('retried');
      await payWithOutcome(retried, 'approve');
      await until(
        () => about(receiver, before, retried),
        ({ length }) => length === 1,
        LIMIT_MS,
      );
      await payWithOutcome(delayed!, 'approve_after_5s');
      await refund(before, refunded!, 'complete_after_5s');
      await used.worker.kill();
      const expiring = await before.create('expiring', soon());
      const decided = await create('decided');
      await payWithOutcome(decided, 'approve');
      await used.server.kill();
      receiver.respond = () => ({ status: 200 });
      const requestsBefore = receiver.requests.length;

      const spare = await openSpare();
      await copyDatabase(used.mongo, spare.mongo);
      await spare.start();
      const after = at(spare, before);

      const payable = await Promise.all(
        [fresh!, opened!].map(async ({ id }) => after.retrieve(id)),
      );
      await Promise.all(payable.map(async (payment) => payWithOutcome(payment, 'approve')));
      await chooseOutcome(new URL(bank, spare.env['CHECKOUT_URL']).href, 'approve');
      const paid = [fresh!, opened!, atBank!, delayed!, retried, decided, refunded!];
      for (const payment of paid) await untilStatus(after, payment, 'completed');
      await untilStatus(after, expiring, 'expired');
      const refunding = async () => spare.mongo.refunds.countDocuments({ status: 'pending' });
      await until(refunding, (count) => count === 0, LIMIT_MS);
      await untilDelivered(spare);

      for (const payment of paid.filter(({ id }) => id !== refunded!.id)) {
        expect([payment.order_id, ...(await typesOf(after, payment))]).toEqual([
          payment.order_id,
          'payment.completed',
        ]);
      }
      expect(await typesOf(after, refunded!)).toEqual([
        'payment.completed',
        'payment.refunded',
        'refund.completed',
        'refund.created',
      ]);
      expect(await typesOf(after, expiring)).toEqual(['payment.expired']);
      // Since the copy, each event that was pending or is new was accepted once, and no other.
      const accepted = receiver.requests.slice(requestsBefore);
      const ids = accepted.map((request) => verify(request, before.secret).id);
      const delivered = await spare.mongo.deliveries
        .find({ state: 'succeeded', 'attempts.at': { $gt: new Date(accepted[0]!.at - 1_000) } })
        .toArray();
      expect(ids.toSorted()).toEqual(delivered.map(({ event_id: id }) => id).toSorted());
      expect(about(receiver, before, finished)).toHaveLength(1);
      expect(
        about(receiver, before, retried).map(({ headers }) => headers['service-attempt']),
      ).toEqual(['1', '2']);
    },
    4 * LIMIT_MS,
  );
});

describe('an older copy of MongoDB beside a Temporal that is further ahead', () => {
  it(
    'continues from the copy, and sends what the copy has as pending',
    async () => {
      const own = await openReceiver();
      onTestFinished(async () => own.close());
      own.respond = () => ({ status: 503 });
      const installation = await openDeployment({ file: 'restore-ahead', env: SCHEDULE });
      onTestFinished(async () => installation.close());
      const { server, worker, mongo } = installation;
      await installation.start();
      const merchant = await installation.createMerchant(own.url);
      const attempts = (payment: PublicPayment): unknown[] =>
        about(own, merchant, payment).map(({ headers }) => headers['service-attempt']);
      const paid = await merchant.create('paid');
      const retried = await merchant.create('retried');
      await payWithOutcome(retried, 'approve');
      const firstFailed = async () =>
        mongo.deliveries.countDocuments({ attempts: { $size: 1 }, state: 'pending' });
      await until(firstFailed, Boolean, LIMIT_MS);
      await worker.kill();
      const copy = await openDatabase('restore-copy');
      onTestFinished(async () => copy.close());
      await copyDatabase(mongo, copy);
      await worker.start();
      await payWithOutcome(paid, 'approve');
      await untilStatus(merchant, paid, 'completed');
      const later = await merchant.create('later', soon());
      // Now Temporal keeps both deliveries for a day.
      const ofBoth = { payment_id: { $in: [paid.id, retried.id] } };
      const events = (await mongo.events.find(ofBoth).toArray()).map(({ _id }) => _id);
      const secondFailed = async () =>
        mongo.deliveries.countDocuments({ event_id: { $in: events }, attempts: { $size: 2 } });
      await until(secondFailed, (count) => count === 2, LIMIT_MS);
      await Promise.all([server.kill(), worker.kill()]);
      const before = attempts(retried);

      await copyDatabase(copy, mongo);
      own.respond = () => ({ status: 200 });
      await installation.start();

      await untilDelivered(installation);
      expect(attempts(retried)).toEqual([...before, '2']);
      expect((await merchant.retrieve(paid.id)).status).toBe('created');
      await payWithOutcome(paid, 'approve');
      await untilStatus(merchant, paid, 'completed');
      expect(await typesOf(merchant, paid)).toEqual(['payment.completed']);
      expect((await merchant.call('GET', `/v1/payments/${later.id}`)).status).toBe(404);
      expect((await merchant.create('later')).id).not.toBe(later.id);
    },
    4 * LIMIT_MS,
  );
});
