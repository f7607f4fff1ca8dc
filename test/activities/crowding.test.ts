/** The load that many deliveries to a silent receiver cause. */
import { describe, expect, it } from 'vitest';
import { makeGate } from '../../outbound/gate.ts';
import { startDeliveries } from '../../activities/start.ts';
import { makeSweep } from '../../activities/sweep.ts';
import { makeLog } from '../../log.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makeSweepActivity } from '../support/sweeping.ts';
import { until } from '../support/until.ts';
import { openDeliverGround } from './dispatch.ts';
import { insertAll } from '../support/insert.ts';
import { closeAfterTests } from '../support/close.ts';

const SLACK_MS = 2_000;
/** The gate only probes after the fifth request without a response. */
const PROBE_MS = 1_000;
/** More than one page of the sweep (200 rows). */
const MANY = 250;

const ground = closeAfterTests(await openDeliverGround('crowding'));

/** Makes a delivery to a silent endpoint, which the gate only probes by now. */
async function beginSilent() {
  await ground.renew();
  await ground.receiver.close();
  const first = await ground.begin();
  for (let i = 0; i < 5; i += 1) {
    await ground.delayOf(first.id);
    await ground.makeDue(first.id);
  }
  return first;
}

describe('a delivery to a silent receiver', () => {
  it('is postponed without an attempt, and its row stores the new time', async () => {
    const { id } = await beginSilent();
    // Each run queues again behind the earlier ones. A probe in between is an attempt.
    const comeBack = async () => {
      await ground.makeDue(id);
      const { attempts: before } = await ground.read(id);
      const delayMs = await ground.delayOf(id);
      const { attempts, next_attempt_at: next } = await ground.read(id);
      const toldMs = (next?.getTime() ?? 0) - Date.now();
      return { delayMs, toldMs, wasTried: attempts.length > before.length };
    };
    const isLong = ({ delayMs, wasTried }: Awaited<ReturnType<typeof comeBack>>) =>
      delayMs > 10_000 && !wasTried;
    const { delayMs, toldMs } = await until(comeBack, isLong);
    expect(Math.abs(toldMs - delayMs)).toBeLessThan(SLACK_MS);
  });
});

/**
 * Sends a ping and another delivery, and returns how long after the fifth silence that one came.
 */
async function askBoth() {
  const { endpoint, m: tenant } = await beginSilent();
  const begunMs = Date.now();
  const event = makeEvent({ m: tenant });
  const ids = { m: tenant, endpoint_id: endpoint._id, event_id: event._id };
  const [ping, other] = [makeDelivery({ ...ids, trigger: 'test' }), makeDelivery(ids)];
  await ground.mongo.events.insertOne(event);
  await insertAll(ground.mongo.deliveries, [ping, other]);
  await ground.delayOf(other._id);
  const lookedMs = Date.now();
  await ground.delayOf(ping._id);
  const [tried, held] = [await ground.read(ping._id), await ground.read(other._id)];
  return { sinceMs: lookedMs - begunMs, ping: tried.attempts, other: held.attempts };
}

describe('a ping to a silent receiver', () => {
  it('is sent at once, because a person waits for its response', async () => {
    // On a machine that took a second for this, the other one was the receiver's next probe.
    const { ping, other } = await until(askBoth, ({ sinceMs }) => sinceMs < PROBE_MS / 2);
    expect(other).toHaveLength(0);
    expect(ping).toHaveLength(1);
  });
});

describe('many new deliveries for a silent receiver', () => {
  it('are started for later times, which their rows store, and the sweep starts none', async () => {
    const { mongo } = ground;
    await mongo.deliveries.deleteMany({});
    let nowMs = Date.now();
    const gate = makeGate({ slots: 100, now: () => nowMs, random: () => 0 });
    const endpoint = makeEndpoint({ m: 'mer_crowding:test' });
    for (let i = 0; i < 12; i += 1) {
      nowMs += 60_000;
      const pass = gate.enter(endpoint);
      if ('leave' in pass) pass.leave({ responded: false, tookMs: 0 });
    }
    const ids = { m: endpoint.m, endpoint_id: endpoint._id, event_id: 'evt_1' };
    const made = Array.from({ length: MANY }, () => makeDelivery(ids));
    await insertAll(mongo.deliveries, made);
    const started = new Map<string, Date | null | undefined>();
    const temporal = {
      startDelivery: async (id: string, at?: Date | null) => void started.set(id, at),
      resumePayment: async () => true,
      resumeRefund: async () => true,
      resumeReplay: async () => undefined,
    };
    const begunMs = Date.now();
    await startDeliveries({ mongo, temporal, gate }, made);

    expect(started.size).toBe(MANY);
    const rows = await mongo.deliveries.find({ endpoint_id: endpoint._id }).toArray();
    for (const row of rows) expect(started.get(row._id)).toEqual(row.next_attempt_at);
    const turns = rows.map((row) => row.next_attempt_at!.getTime()).toSorted((a, b) => a - b);
    expect(turns[0]! - begunMs).toBeGreaterThanOrEqual(60_000);
    expect(turns.at(-1)! - turns[0]!).toBeGreaterThan((MANY - 1) * 500 - SLACK_MS);

    started.clear();
    // With their first due time, all of them would be overdue by now.
    const sweepGrace = { paymentMs: 0, refundMs: 0, deliveryMs: 0 };
    const sweep = makeSweep({
      mongo,
      temporal,
      log: makeLog('test', 'silent'),
      sweepGrace,
      count: async () => 0,
      prune: async () => 0,
    });
    const swept = await sweep(makeSweepActivity());
    expect(swept.deliveries).toBe(0);
    expect(started.size).toBe(0);
  });

  it('are started at once if the receiver responds', async () => {
    const { mongo } = ground;
    const gate = makeGate({ slots: 100, now: Date.now, random: () => 0 });
    const ids = { m: 'mer_crowding:test', endpoint_id: 'we_well', event_id: 'evt_2' };
    const made = [makeDelivery(ids), makeDelivery(ids)];
    await insertAll(mongo.deliveries, made);
    const started: (Date | null | undefined)[] = [];
    const temporal = {
      startDelivery: async (_: string, at?: Date | null) => void started.push(at),
    };
    await startDeliveries({ mongo, temporal, gate }, made);
    expect(started).toEqual([null, null]);
    const rows = await mongo.deliveries.find({ endpoint_id: 'we_well' }).toArray();
    expect(rows.map((row) => row.next_attempt_at)).toEqual(made.map((row) => row.next_attempt_at));
  });
});
