/** The worker is killed inside a step, or between two; nothing is lost and nothing doubled. */
import { beforeAll, describe, expect, it } from 'vitest';
import { payAs } from '../support/customer.ts';
import { findRepeats } from './deliverychecks.ts';
import { byDelivery } from './deliverystorm.ts';
import type { Kill } from './deliverystorm.ts';
import { openStage, throughProxy, withDatabase } from '../support/servers/processes.ts';
import { openProxy } from '../support/servers/proxy.ts';
import type { HoldAt } from '../support/servers/proxy.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { privateName, testServers } from '../support/run.ts';
import { forFile } from '../support/file.ts';

/** No answer is late, however busy the machine: it would be asked for once more. */
const WEBHOOK_TIMEOUT_MS = 10_000;
/** A POST and its record, which is tried twice, each time for 4 s of silence. */
const LONGEST_RUN_MS = WEBHOOK_TIMEOUT_MS + 2 * 4_000;
/**
 * A workflow task that died is given out again after 5 s, a delivery after 25 s; a transaction
 * whose client is gone holds its locks for up to a minute on a real MongoDB.
 */
const LIMIT_MS = 100_000;
/** Some of these waits follow one another. */
const TEST_LIMIT_MS = 3 * LIMIT_MS;

const { mongoUri } = testServers();
const { hostname: host, port } = new URL(mongoUri.replace(/^mongodb/, 'http'));
const mongo = forFile(await openProxy({ host, port: Number(port) }));
const receiver = forFile(await openReceiver());
const uri = withDatabase(mongoUri, `test_${privateName('crash-worker')}`);
const stage = forFile(
  await openStage({
    file: 'crash-worker',
    env: {
      MONGODB_URI: uri,
      WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS),
      // The sweep must not send what the test is just about to look at.
      SWEEP_DELIVERY_GRACE_SECONDS: '15',
    },
    worker: { MONGODB_URI: throughProxy(uri, mongo.port) },
  }),
);
await stage.start();
const merchant = await stage.hire(receiver.url);

/** The requests about one payment, each with a good signature. */
function requestsAbout(id: string): Received[] {
  return receiver.requests.filter(
    (request) => verify(request, merchant.secret).data.object.id === id,
  );
}

async function untilDelivered(id: string, count = 1): Promise<void> {
  await until(
    () => requestsAbout(id).length,
    (sent) => sent >= count,
    LIMIT_MS,
  );
  const rows = async () => {
    const [event] = await merchant.events(id);
    return stage.mongo.deliveries.find({ event_id: event?.id ?? '' }).toArray();
  };
  await until(rows, ([row]) => row?.state === 'succeeded', LIMIT_MS);
}

/** Pays, kills the worker as soon as its commit is held, and starts it again. */
async function payAndDieAtCommit(at: HoldAt): Promise<string> {
  const payment = await merchant.create(`commit-${at}`);
  const held = mongo.hold('commitTransaction', at);
  await payAs(payment, 'approve');
  await held;
  await stage.worker.kill();
  expect(requestsAbout(payment.id)).toHaveLength(0);
  const { status } = await merchant.retrieve(payment.id);
  expect(status).toBe(at === 'request' ? 'processing' : 'completed');
  await stage.worker.start();
  return payment.id;
}

/** One delivery, which is repeated only if one of these kills explains it. */
async function expectOneOfEach(id: string, kills: readonly Kill[] = []): Promise<void> {
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

describe('a worker that dies', () => {
  it(
    'after the transaction and before the deliveries start has them started',
    async () => {
      await expectOneOfEach(await payAndDieAtCommit('answer'));
    },
    TEST_LIMIT_MS,
  );
});

describe('a worker that dies, and leaves the locks of its transaction,', () => {
  let interrupted: string;
  /** One of them may end a delivery of the interrupted payment, too, which is then repeated. */
  const kills: Kill[] = [];

  // The longest way comes first, so that the other is gone while its locks are waited for.
  beforeAll(async () => {
    interrupted = await payAndDieAtCommit('request');
  }, TEST_LIMIT_MS);

  it(
    'after the POST and before its record has it repeated, with the same number',
    async () => {
      const payment = await merchant.create('post-1');
      let at = 0;
      receiver.answer = (_, request) => {
        // What was interrupted before may be delivered just now: it is not meant.
        if (verify(request, merchant.secret).data.object.id !== payment.id) return { status: 200 };
        receiver.answer = () => ({ status: 200 });
        at = Date.now();
        stage.worker.strike();
        return 'silence';
      };
      await payAs(payment, 'approve');
      await until(() => requestsAbout(payment.id).length, Boolean, LIMIT_MS);
      await stage.worker.kill();
      kills.push({ worker: 'worker', at, gone: Date.now(), how: 'before a record' });
      await stage.worker.start();
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
    'inside the transaction leaves one status, one event and one delivery',
    async () => {
      await expectOneOfEach(interrupted, kills);
    },
    TEST_LIMIT_MS,
  );
});
