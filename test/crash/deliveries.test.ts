/** Workers are killed again and again while they deliver to receivers that fail at first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { deriveKey } from '../../store/encryption.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { makeLog } from '../../log.ts';
import { mintId } from '../../store/mint.ts';
import { makeSealer } from '../../store/seal.ts';
import { makeTemporal } from '../../temporal/client.ts';
import { expectDelivered, findRepeats, summarize } from './deliverychecks.ts';
import {
  byDelivery,
  chooseSeed,
  emit,
  failAtFirst,
  kill,
  killUntil,
  makeRandom,
  prepareSecondWorker,
  watchSuccesses,
} from './deliverystorm.ts';
import type { Kill, Victim } from './deliverystorm.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { openDeployment, withDatabase } from '../support/servers/deployment.ts';
import { openMongoProxy } from '../support/servers/proxy.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { privateName, testServers } from '../support/run.ts';
import { closeAfterTests } from '../support/close.ts';

/** The size of a run. Set `STORM_DELIVERIES` for a longer one, and `STORM_SEED` to repeat one. */
const DELIVERIES = Number(process.env['STORM_DELIVERIES'] ?? 160);
const SEED = chooseSeed();
const M = 'mer_STORM:test';
const RECEIVERS = 8;
const EVENTS = Math.ceil(DELIVERIES / RECEIVERS);
const SCHEDULE = [0, 1, 2, 2, 3, 3];
const TIMEOUT_MS = 1_500;
/** A POST and its record, which is tried twice with a timeout of 4 s. */
const LONGEST_RUN_MS = TIMEOUT_MS + 2 * 4_000;
/** The last kill waits for a record of workers that have just started. */
const LAST_HOLD_MS = 120_000;
/** A kill comes at a random moment within this time after the last start. */
const MAX_LIFE_MS = 1_500;
/** The average time between two events. Kills continue until the last event. */
const EVENT_EVERY_MS = 500;
/** A dead run is started again after 17 s and a backoff of up to a minute. */
const END_LIMIT_MS = 300_000;
const LIMIT_MS = LAST_HOLD_MS + 2 * END_LIMIT_MS + DELIVERIES * 500;

/** A receiver and its endpoint. */
interface Target {
  readonly receiver: Receiver;
  readonly endpointId: string;
  readonly secret: string;
}

const { mongoUri, temporalAddress } = testServers();
const uri = withDatabase(mongoUri, `test_${privateName('crash-deliveries')}`);
const proxy = closeAfterTests(await openMongoProxy(uri));
const deployment = closeAfterTests(
  await openDeployment({
    file: 'crash-deliveries',
    env: {
      MONGODB_URI: uri,
      WEBHOOK_SCHEDULE: SCHEDULE.join(','),
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    },
    worker: { MONGODB_URI: proxy.uri },
  }),
);
const second = await prepareSecondWorker(deployment);
const connection = closeAfterTests(await Connection.connect({ address: temporalAddress }));
// The first worker registers the namespace and search attributes, which the second one needs.
await deployment.worker.start();
await second.start();
const indexes = Array.from({ length: RECEIVERS }, (_, index) => index);
const targets = await Promise.all(indexes.map(openTarget));

/** Opens a receiver whose failures depend on the seed, and stores its endpoint. */
async function openTarget(index: number): Promise<Target> {
  const receiver = closeAfterTests(await openReceiver());
  receiver.respond = async (_, { raw, headers }) => {
    const { order_id: order } = (
      JSON.parse(raw.toString()) as { data: { object: { order_id: string } } }
    ).data.object;
    const seed = SEED + index * 1_000_003 + Number(order.split('-')[1]);
    return failAtFirst(seed, Number(headers['service-attempt']));
  };
  const key = Buffer.from(deployment.env['ENCRYPTION_KEY']!, 'base64');
  const sealer = makeSealer(deriveKey(key, 'webhook secrets'));
  const [endpointId, secret] = [mintId('endpoint'), makeWebhookSecret()];
  const sealed = { _id: endpointId, secret: sealer.seal(secret, endpointId) };
  await deployment.mongo.endpoints.insertOne(makeEndpoint({ m: M, ...sealed, url: receiver.url }));
  return { receiver, endpointId, secret };
}

/** Returns a function that emits events until `isEnough` returns true. It returns their count. */
function makeEmitter(random: () => number) {
  const temporal = makeTemporal({
    connection,
    namespace: deployment.env['TEMPORAL_NAMESPACE']!,
    webhookTimeoutMs: TIMEOUT_MS,
    log: makeLog('test', 'silent'),
  });
  let count = 0;
  return async (isEnough: (count: number) => boolean): Promise<number> => {
    while (!isEnough(count)) {
      await emit({ mongo: deployment.mongo, temporal, m: M }, count);
      count += 1;
      await sleep(random() * 2 * EVENT_EVERY_MS);
    }
    return count;
  };
}

/** Waits until no delivery is pending and no run is left in Temporal that could send again. */
async function untilIdle(): Promise<Delivery[]> {
  const pending = async () => deployment.mongo.deliveries.countDocuments({ state: 'pending' });
  await until(pending, (count) => count === 0, END_LIMIT_MS);
  const client = new Client({ connection, namespace: deployment.env['TEMPORAL_NAMESPACE']! });
  const running = async () => (await client.activity.count("ExecutionStatus = 'Running'")).count;
  await until(running, (count) => count === 0, END_LIMIT_MS);
  return deployment.mongo.deliveries.find().toArray();
}

interface Storm {
  /** The number of events. */
  readonly count: number;
  readonly rows: readonly Delivery[];
  readonly kills: readonly Kill[];
  /** When each delivery was first seen as succeeded, in unix milliseconds. */
  readonly seen: ReadonlyMap<string, number>;
}

/** Kills both workers again and again, and finally one of them for good. */
async function runStorm(): Promise<Storm> {
  const kills: Kill[] = [];
  const seen = new Map<string, number>();
  const first: Victim = { name: 'worker', program: deployment.worker, proxy };
  const other: Victim = { name: 'worker-2', program: second };
  const over = new AbortController();
  const idle = new AbortController();
  const watching = watchSuccesses(deployment.mongo, seen, idle.signal);
  const options = { maxLifeMs: MAX_LIFE_MS, kills, over: over.signal };
  const emitUntil = makeEmitter(makeRandom(SEED + 1));
  try {
    await Promise.all([
      emitUntil((count) => count === EVENTS).finally(() => over.abort()),
      killUntil(first, { ...options, random: makeRandom(SEED) }),
      killUntil(other, { ...options, random: makeRandom(SEED + 2) }),
    ]);
    // No start follows the last kill: the other worker takes over the deliveries.
    let isOver = false;
    const last = kill(first, 'before a record', LAST_HOLD_MS).finally(() => {
      isOver = true;
    });
    const [count, killed] = await Promise.all([emitUntil(() => isOver), last]);
    kills.push(killed);
    return { count, rows: await untilIdle(), kills, seen };
  } finally {
    over.abort();
    idle.abort();
    await watching;
  }
}

/** Expects every event at every receiver as promised. Returns all requests by delivery. */
async function expectAllDelivered({ count, rows, seen }: Storm): Promise<Map<string, Received[]>> {
  const events = await deployment.mongo.events.find({ type: 'payment.canceled' }).toArray();
  const bodies = new Map(events.map(({ _id, body }) => [_id, body]));
  expect(bodies.size).toBe(count);
  expect(rows).toHaveLength(count * RECEIVERS);
  const succeeded = rows.filter(({ state }) => state === 'succeeded').map(({ _id }) => _id);
  expect([...seen.keys()].toSorted()).toEqual(succeeded.toSorted());
  let requests = 0;
  const all = new Map<string, Received[]>();
  for (const { receiver, endpointId, secret } of targets) {
    const own = rows.filter((row) => row.endpoint_id === endpointId);
    expect(new Set(own.map((row) => row.event_id))).toEqual(new Set(bodies.keys()));
    const received = byDelivery(receiver.requests);
    // No receiver gets a delivery of another.
    expect([...received.keys()].toSorted()).toEqual(own.map(({ _id }) => _id).toSorted());
    for (const row of own) {
      const promised = { scheduleSeconds: SCHEDULE, body: bodies.get(row.event_id)!, secret };
      const its = received.get(row._id)!;
      expectDelivered(row, its, promised);
      expect(its.at(-1)!.at).toBeLessThanOrEqual(seen.get(row._id) ?? Infinity);
      all.set(row._id, its);
      requests += its.length;
    }
  }
  const requested = targets.flatMap(({ receiver }) => receiver.requests);
  expect(requests).toBe(requested.length);
  // Some successes were seen while requests still arrived, not only at the end.
  expect(Math.min(...seen.values())).toBeLessThan(Math.max(...requested.map(({ at }) => at)));
  return all;
}

describe('workers that are killed while they deliver', () => {
  it(
    `keep every promise to receivers that fail at first (seed ${SEED})`,
    async () => {
      const storm = await runStorm();
      const all = await expectAllDelivered(storm);
      const { rows, kills } = storm;
      const repeats = findRepeats(all, { kills, longestRunMs: LONGEST_RUN_MS });
      console.log(`${summarize(rows, repeats.length)}, ${kills.length} kills, seed ${SEED}`);
      const last = kills.at(-1)!;
      expect(last.how).toBe('before a record');
      expect(repeats.some((repeat) => repeat.kills.includes(last))).toBe(true);
    },
    LIMIT_MS,
  );
});
