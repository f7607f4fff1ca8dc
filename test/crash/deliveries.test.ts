/** Workers are killed again and again while events go to receivers that fail at first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { deriveKey } from '../../store/encryption.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { makeLog } from '../../log.ts';
import { mintId } from '../../store/mint.ts';
import { makeSealer } from '../../store/seal.ts';
import { makeTemporal } from '../../temporal/client.ts';
import { expectKept, findRepeats, summarize } from './deliverychecks.ts';
import {
  byDelivery,
  chooseSeed,
  emit,
  failAtFirst,
  kill,
  killOften,
  makeRandom,
  makeSecondWorker,
  watchSuccesses,
} from './deliverystorm.ts';
import type { Kill, Victim } from './deliverystorm.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { openStage, throughProxy, withDatabase } from '../support/servers/processes.ts';
import { openProxy } from '../support/servers/proxy.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { privateName, testServers } from '../support/run.ts';
import { forFile } from '../support/file.ts';

/** A run by hand may ask for more, and for the same storm again by `STORM_SEED`. */
const DELIVERIES = Number(process.env['STORM_DELIVERIES'] ?? 240);
const SEED = chooseSeed();
const M = 'mer_STORM:test';
const RECEIVERS = 8;
const EVENTS = Math.ceil(DELIVERIES / RECEIVERS);
const SCHEDULE = [0, 1, 2, 2, 3, 3];
const TIMEOUT_MS = 1_500;
/** A POST and its record, which is tried twice, each time for 4 s of silence. */
const LONGEST_RUN_MS = TIMEOUT_MS + 2 * 4_000;
/** The workers have just come up when the last kill waits for a record. */
const LAST_HOLD_MS = 60_000;
const SPELL_MS = 1_500;
/** On average; the workers die until all these events were made, and a few more for the last. */
const EVENT_EVERY_MS = 500;
/** A run that died is given out again after 17 s and a back-off of up to a minute. */
const END_LIMIT_MS = 150_000;
const LIMIT_MS = LAST_HOLD_MS + 2 * END_LIMIT_MS + DELIVERIES * 500;

interface Hearing {
  readonly receiver: Receiver;
  readonly endpointId: string;
  readonly secret: string;
}

const { mongoUri, temporalAddress } = testServers();
const { hostname: host, port } = new URL(mongoUri.replace(/^mongodb/, 'http'));
const proxy = forFile(await openProxy({ host, port: Number(port) }));
const uri = withDatabase(mongoUri, `test_${privateName('crash-deliveries')}`);
const stage = forFile(
  await openStage({
    file: 'crash-deliveries',
    env: {
      MONGODB_URI: uri,
      WEBHOOK_SCHEDULE: SCHEDULE.join(','),
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    },
    worker: { MONGODB_URI: throughProxy(uri, proxy.port) },
  }),
);
const second = await makeSecondWorker(stage);
const connection = await Connection.connect({ address: temporalAddress });
// The second finds what the first has prepared.
await stage.worker.start();
await second.program.start();
const hearings = await Promise.all(Array.from({ length: RECEIVERS }, async (_, at) => listen(at)));

afterAll(async () => {
  await second?.close();
  await connection?.close();
  for (const { receiver } of hearings ?? []) await receiver.close();
});

/** A receiver that fails as the seed has it, and its endpoint. */
async function listen(index: number): Promise<Hearing> {
  const receiver = await openReceiver();
  receiver.answer = async (_, { raw, headers }) => {
    const { order_id: order } = (
      JSON.parse(raw.toString()) as { data: { object: { order_id: string } } }
    ).data.object;
    const seed = SEED + index * 1_000_003 + Number(order.split('-')[1]);
    return failAtFirst(seed, Number(headers['service-attempt']));
  };
  const key = Buffer.from(stage.env['ENCRYPTION_KEY']!, 'base64');
  const sealer = makeSealer(deriveKey(key, 'webhook secrets'));
  const [endpointId, secret] = [mintId('endpoint'), makeWebhookSecret()];
  const sealed = { _id: endpointId, secret: sealer.seal(secret, endpointId) };
  await stage.mongo.endpoints.insertOne(makeEndpoint({ m: M, ...sealed, url: receiver.url }));
  return { receiver, endpointId, secret };
}

/** Makes events one after another, while the workers die: so many, or until it is enough. */
function makeEmitter(random: () => number) {
  const temporal = makeTemporal({
    connection,
    namespace: stage.env['TEMPORAL_NAMESPACE']!,
    webhookTimeoutMs: TIMEOUT_MS,
    log: makeLog('test', 'silent'),
  });
  let count = 0;
  return async (isEnough: (count: number) => boolean): Promise<number> => {
    while (!isEnough(count)) {
      await emit({ mongo: stage.mongo, temporal, m: M }, count);
      count += 1;
      await sleep(random() * 2 * EVENT_EVERY_MS);
    }
    return count;
  };
}

/** Until nothing is pending, and no run is left in Temporal that could send once more. */
async function untilQuiet(): Promise<Delivery[]> {
  const pending = async () => stage.mongo.deliveries.countDocuments({ state: 'pending' });
  await until(pending, (count) => count === 0, END_LIMIT_MS);
  const client = new Client({ connection, namespace: stage.env['TEMPORAL_NAMESPACE']! });
  const running = async () => (await client.activity.count("ExecutionStatus = 'Running'")).count;
  await until(running, (count) => count === 0, END_LIMIT_MS);
  return stage.mongo.deliveries.find().toArray();
}

interface Storm {
  /** Events that were made. */
  readonly count: number;
  readonly rows: readonly Delivery[];
  readonly kills: readonly Kill[];
  /** When each delivery was first seen to have succeeded, unix milliseconds. */
  readonly seen: ReadonlyMap<string, number>;
}

/** Both workers die again and again, and at last one of them for good. */
async function rage(): Promise<Storm> {
  const kills: Kill[] = [];
  const seen = new Map<string, number>();
  const first: Victim = { name: 'worker', program: stage.worker, proxy };
  const other: Victim = { name: 'worker-2', program: second.program };
  const over = new AbortController();
  const quiet = new AbortController();
  const watching = watchSuccesses(stage.mongo, seen, quiet.signal);
  const how = { spellMs: SPELL_MS, kills, over: over.signal };
  const emitUntil = makeEmitter(makeRandom(SEED + 1));
  try {
    await Promise.all([
      emitUntil((count) => count === EVENTS).finally(() => over.abort()),
      killOften(first, { ...how, random: makeRandom(SEED) }),
      killOften(other, { ...how, random: makeRandom(SEED + 2) }),
    ]);
    // No start follows the last kill: what was under way goes on at the other worker.
    let isOver = false;
    const last = kill(first, 'before a record', LAST_HOLD_MS).finally(() => {
      isOver = true;
    });
    const [count, killed] = await Promise.all([emitUntil(() => isOver), last]);
    kills.push(killed);
    return { count, rows: await untilQuiet(), kills, seen };
  } finally {
    over.abort();
    quiet.abort();
    await watching;
  }
}

/** Every event came to every receiver as promised; answers all requests by their delivery. */
async function expectAllKept({ count, rows, seen }: Storm): Promise<Map<string, Received[]>> {
  const events = await stage.mongo.events.find({ type: 'payment.canceled' }).toArray();
  const bodies = new Map(events.map(({ _id, body }) => [_id, body]));
  expect(bodies.size).toBe(count);
  expect(rows).toHaveLength(count * RECEIVERS);
  const succeeded = rows.filter(({ state }) => state === 'succeeded').map(({ _id }) => _id);
  expect([...seen.keys()].toSorted()).toEqual(succeeded.toSorted());
  let requests = 0;
  const all = new Map<string, Received[]>();
  for (const { receiver, endpointId, secret } of hearings) {
    const own = rows.filter((row) => row.endpoint_id === endpointId);
    expect(new Set(own.map((row) => row.event_id))).toEqual(new Set(bodies.keys()));
    const came = byDelivery(receiver.requests);
    // Nobody hears of what is meant for another.
    expect([...came.keys()].toSorted()).toEqual(own.map(({ _id }) => _id).toSorted());
    for (const row of own) {
      const promised = { scheduleSeconds: SCHEDULE, body: bodies.get(row.event_id)!, secret };
      const its = came.get(row._id)!;
      expectKept(row, its, promised);
      expect(its.at(-1)!.at).toBeLessThanOrEqual(seen.get(row._id) ?? Infinity);
      all.set(row._id, its);
      requests += its.length;
    }
  }
  const came = hearings.flatMap(({ receiver }) => receiver.requests);
  expect(requests).toBe(came.length);
  // It was looked at while requests still came, and not in the end alone.
  expect(Math.min(...seen.values())).toBeLessThan(Math.max(...came.map(({ at }) => at)));
  return all;
}

describe('workers that die while they deliver', () => {
  it(
    `keep every promise to receivers that fail at first (seed ${SEED})`,
    async () => {
      const storm = await rage();
      const all = await expectAllKept(storm);
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
