/** The worker is killed during a step or between two. Nothing is lost or duplicated. */
import { beforeAll, describe, expect, it } from 'vitest';
import { payWithOutcome } from '../support/customer.ts';
import { findRepeats } from './deliverychecks.ts';
import { byDelivery } from './deliverystorm.ts';
import type { Kill } from './deliverystorm.ts';
import { openDeployment, withDatabase } from '../support/servers/deployment.ts';
import { openMongoProxy } from '../support/servers/proxy.ts';
import type { HoldAt } from '../support/servers/proxy.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { privateName, testServers } from '../support/run.ts';
import { closeAfterTests } from '../support/close.ts';

/** Generous, so that a busy machine does not repeat a delivery. */
const WEBHOOK_TIMEOUT_MS = 10_000;
/** A POST and its record, which is tried twice with a timeout of 4 s. */
const LONGEST_RUN_MS = WEBHOOK_TIMEOUT_MS + 2 * 4_000;
/**
 * Temporal starts a dead workflow task again after 5 s, a delivery after 25 s. A transaction whose
 * client is gone holds its locks for up to a minute on a real MongoDB.
 */
const LIMIT_MS = 300_000;
/** Long enough for several of these waits. */
const TEST_LIMIT_MS = 3 * LIMIT_MS;

const uri = withDatabase(testServers().mongoUri, `test_${privateName('crash-worker')}`);
const mongo = closeAfterTests(await openMongoProxy(uri));
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'crash-worker',
    env: {
      MONGODB_URI: uri,
      WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS),
      // The start is late enough for the test to check that nothing was sent before.
      SWEEP_DELIVERY_GRACE_SECONDS: '15',
    },
    worker: { MONGODB_URI: mongo.uri },
  }),
);
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);

/** Returns the requests about a payment. Throws if a signature is wrong. */
function requestsAbout(id: string): Received[] {
  return receiver.requests.filter(
    (request) => verify(request, merchant.secret).data.object.id === id,
  );
}

/** Waits for `count` requests about a payment, and for the success of its delivery. */
async function untilDelivered(id: string, count = 1): Promise<void> {
  await until(
    () => requestsAbout(id).length,
    (sent) => sent >= count,
    LIMIT_MS,
  );
  const rows = async () => {
    const [event] = await merchant.events(id);
    return deployment.mongo.deliveries.find({ event_id: event?.id ?? '' }).toArray();
  };
  await until(rows, ([row]) => row?.state === 'succeeded', LIMIT_MS);
}

/** Pays, kills the worker once its commit or the response to it is held, and starts it again. */
async function payAndDieAtCommit(at: HoldAt): Promise<string> {
  const payment = await merchant.create(`commit-${at}`);
  const held = mongo.hold('commitTransaction', at);
  await payWithOutcome(payment, 'approve');
  await held;
  await deployment.worker.kill();
  expect(requestsAbout(payment.id)).toHaveLength(0);
  const { status } = await merchant.retrieve(payment.id);
  expect(status).toBe(at === 'request' ? 'processing' : 'completed');
  await deployment.worker.start();
  return payment.id;
}

/** Expects one status, one event and one delivery, repeated only if a kill explains it. */
async function expectSettledOnce(id: string, kills: readonly Kill[] = []): Promise<void> {
  await untilDelivered(id);
  expect((await merchant.retrieve(id)).status).toBe('completed');
  expect((await merchant.events(id)).map(({ type }) => type)).toEqual(['payment.completed']);
  const requests = requestsAbout(id);
  const came = byDelivery(requests);
  expect(came.size).toBe(1);
  const repeats = findRepeats(came, { kills, longestRunMs: LONGEST_RUN_MS });
  expect(requests).toHaveLength(1 + repeats.length);
  expect(new Set(requests.map(({ headers }) => headers['service-attempt']))).toEqual(
    new Set(['1']),
  );
}

describe('a worker that is killed after its transaction', () => {
  it(
    'starts the deliveries after its restart',
    async () => {
      await expectSettledOnce(await payAndDieAtCommit('answer'));
    },
    TEST_LIMIT_MS,
  );
});

describe('a worker that is killed inside its transaction and then after a POST', () => {
  let interrupted: string;
  /** A kill may also end a delivery of the interrupted payment, which is then repeated. */
  const kills: Kill[] = [];

  // The transaction's locks expire while the next test runs.
  beforeAll(async () => {
    interrupted = await payAndDieAtCommit('request');
  }, TEST_LIMIT_MS);

  it(
    'repeats a POST that was not recorded, with the same attempt number',
    async () => {
      const payment = await merchant.create('post-1');
      let at = 0;
      receiver.respond = (_, request) => {
        // The interrupted payment may be delivered now. Its requests succeed.
        if (verify(request, merchant.secret).data.object.id !== payment.id) return { status: 200 };
        receiver.respond = () => ({ status: 200 });
        at = Date.now();
        deployment.worker.sendKill();
        return 'silence';
      };
      await payWithOutcome(payment, 'approve');
      await until(() => requestsAbout(payment.id).length, Boolean, LIMIT_MS);
      await deployment.worker.kill();
      kills.push({ worker: 'worker', at, gone: Date.now(), how: 'before a record' });
      await deployment.worker.start();
      await untilDelivered(payment.id, 2);
      const [first, second] = requestsAbout(payment.id);
      expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
      for (const name of ['webhook-id', 'service-delivery', 'service-attempt']) {
        expect(second?.headers[name]).toBe(first?.headers[name]);
      }
      expect(await merchant.events(payment.id)).toHaveLength(1);
    },
    TEST_LIMIT_MS,
  );

  it(
    'settles the interrupted payment with one status, one event and one delivery',
    async () => {
      await expectSettledOnce(interrupted, kills);
    },
    TEST_LIMIT_MS,
  );
});
