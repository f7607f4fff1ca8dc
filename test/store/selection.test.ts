import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../domain/delivery.ts';
import { TRIAL } from '../../domain/event.ts';
import type { Event, EventType } from '../../domain/event.ts';
import { firstIdAt, timeOf } from '../../domain/id.ts';
import type { Replay } from '../../domain/replay.ts';
import { mintId } from '../../store/mint.ts';
import { countByState, countSelected, namedEvents, selectEvents } from '../../store/selection.ts';
import { makeDelivery, makeEvent } from '../support/rows/endpoint.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('selection');
const FAILED = { kind: 'deliveries', states: ['failed', 'skipped', 'stopped'] } as const;
const tenant = 'mer_1:test';
const endpointId = mintId('endpoint');

beforeEach(async () => {
  const { deliveries, events, replays } = database.mongo;
  await Promise.all([deliveries, events, replays].map(async (each) => each.deleteMany({})));
});

async function delivery(overrides: Partial<Delivery> = {}): Promise<Delivery> {
  const ids = { m: tenant, endpoint_id: endpointId, event_id: mintId('event') };
  const row = makeDelivery({ ...ids, state: 'failed', next_attempt_at: null, ...overrides });
  await database.mongo.deliveries.insertOne(row);
  return row;
}

async function event(overrides: Partial<Event> = {}): Promise<Event> {
  const row = makeEvent({ m: tenant, type: 'payment.completed', ...overrides });
  await database.mongo.events.insertOne(row);
  return row;
}

const replayOf = (overrides: Partial<Replay> = {}): Replay =>
  makeReplay({ m: tenant, endpoint_id: endpointId, ...overrides });
const failures = (overrides: Partial<Replay> = {}): Replay =>
  replayOf({ selection: FAILED, until: new Date(Date.now() + 60_000), ...overrides });
const select = async (replay: Replay, limit = 100) => selectEvents(database.mongo, replay, limit);

describe('selectEvents of deliveries', () => {
  it('returns events of the selected states of that endpoint, oldest first', async () => {
    const failed = await delivery();
    const skipped = await delivery({ state: 'skipped' });
    await delivery({ state: 'succeeded' });
    await delivery({ state: 'pending' });
    await delivery({ endpoint_id: mintId('endpoint') });
    await delivery({ trigger: 'test' });
    const stopped = await delivery({ state: 'stopped' });
    const all = await select(failures());
    expect(all.eventIds).toEqual([failed, skipped, stopped].map(({ event_id: id }) => id));
    expect(all).toMatchObject({ cursor: stopped._id, isEnd: true });
    const some = await select(failures({ selection: { kind: 'deliveries', states: ['skipped'] } }));
    expect(some.eventIds).toEqual([skipped.event_id]);
  });

  it('skips deliveries that a replay made and stopped, but not their originals', async () => {
    const { event_id } = await delivery({ state: 'skipped' });
    const replay_id = mintId('replay');
    await delivery({ event_id, state: 'stopped', trigger: 'manual', replay_id });
    await delivery({ state: 'stopped', trigger: 'replay', replay_id });
    const { event_id: failed } = await delivery({ trigger: 'replay', replay_id });
    expect(await select(failures())).toMatchObject({ eventIds: [event_id, failed] });
  });

  it('includes the start of the time range and excludes the end', async () => {
    const rows = [];
    for (const ms of [1_000, 2_000, 2_999, 3_000]) {
      rows.push(await delivery({ _id: firstIdAt('delivery', ms) }));
    }
    const replay = failures({ from: new Date(2_000), until: new Date(3_000) });
    expect((await select(replay)).eventIds).toEqual([rows[1]!.event_id, rows[2]!.event_id]);
  });

  it.each([
    ['was accepted in another delivery', { state: 'succeeded' }],
    ['is pending in another delivery', { state: 'pending' }],
  ] as [string, Partial<Delivery>][])('skips an event that %s', async (_, other) => {
    const { event_id } = await delivery();
    const left = await delivery();
    await delivery({ event_id, ...other });
    expect(await select(failures())).toMatchObject({ eventIds: [left.event_id] });
  });

  it('ignores a success at another endpoint', async () => {
    const { event_id } = await delivery();
    await delivery({ event_id, endpoint_id: mintId('endpoint'), state: 'succeeded' });
    expect((await select(failures())).eventIds).toEqual([event_id]);
  });

  it('returns each event once, but none that the replay itself has sent', async () => {
    const { event_id } = await delivery();
    await delivery({ event_id });
    const replay = failures();
    expect(await select(replay)).toMatchObject({ eventIds: [event_id] });
    await delivery({ event_id, replay_id: replay._id });
    expect((await select(replay)).eventIds).toEqual([]);
    expect((await select(failures())).eventIds).toEqual([event_id]);
  });

  it('continues after the cursor', async () => {
    const rows = [await delivery(), await delivery(), await delivery()];
    const first = await select(failures(), 2);
    expect(first.eventIds).toEqual([rows[0]!.event_id, rows[1]!.event_id]);
    expect(first).toMatchObject({ cursor: rows[1]!._id, isEnd: false });
    const rest = await select(failures({ cursor: first.cursor }), 2);
    expect(rest).toMatchObject({ eventIds: [rows[2]!.event_id], isEnd: true });
  });
});

const types = (...names: EventType[]): Replay =>
  replayOf({
    selection: { kind: 'events', types: names, payment_id: null, ids: null },
    until: new Date(Date.now() + 60_000),
  });

describe('selectEvents of events', () => {
  it('returns events of the selected types of the tenant, even accepted ones', async () => {
    const paid = await event();
    await event({ type: 'payment.failed' });
    await event({ m: 'mer_2:test' });
    await event({ m: 'mer_1:live' });
    const refunded = await event({ type: 'payment.refunded' });
    await delivery({ event_id: paid._id, state: 'succeeded' });
    const { eventIds } = await select(types('payment.refunded', 'payment.completed'));
    expect(eventIds).toEqual([paid._id, refunded._id]);
  });

  it('skips test events', async () => {
    const real = await event();
    await event({ cause: `${endpointId}${TRIAL}${mintId('event')}` });
    expect((await select(types('payment.completed'))).eventIds).toEqual([real._id]);
  });

  it('returns events of one payment, or of the given ids', async () => {
    const [one, two] = [await event({ payment_id: 'pay_1' }), await event({ payment_id: 'pay_2' })];
    const foreign = await event({ m: 'mer_2:test' });
    const replay = types('payment.completed');
    const selection = replay.selection as Extract<Replay['selection'], { kind: 'events' }>;
    const ofPayment = { ...replay, selection: { ...selection, payment_id: 'pay_2' } };
    expect((await select(ofPayment)).eventIds).toEqual([two._id]);
    const ids = [foreign._id, one._id, mintId('event')];
    expect((await select({ ...replay, selection: { ...selection, ids } })).eventIds).toEqual([
      one._id,
    ]);
  });
});

describe('countSelected', () => {
  it('counts the selected events over many pages', async () => {
    const rows = Array.from({ length: 520 }, () =>
      makeEvent({ m: tenant, type: 'payment.completed' }),
    );
    await database.mongo.events.insertMany(rows);
    const replay = replayOf({ until: new Date(Date.now() + 60_000) });
    expect(await countSelected(database.mongo, replay)).toEqual({ total: 520, leftOut: 0 });
  });

  it('counts rows whose event needs no further delivery as left out', async () => {
    const { event_id } = await delivery();
    await delivery({ event_id });
    await delivery();
    await delivery({ event_id: (await delivery()).event_id, state: 'succeeded' });
    const counted = await countSelected(database.mongo, failures());
    expect(counted).toEqual({ total: 2, leftOut: 2 });
  });
});

const counted = async (limit: number) => countByState(database.mongo, failures(), limit);

describe('countByState', () => {
  it('counts each event once, by the state of its oldest delivery', async () => {
    const first = await delivery({ state: 'skipped' });
    await delivery({ event_id: first.event_id, state: 'stopped' });
    await delivery({ state: 'stopped' });
    await delivery({ state: 'stopped', trigger: 'test' });
    await delivery({ state: 'stopped', replay_id: mintId('replay') });
    await delivery({ event_id: (await delivery()).event_id, state: 'succeeded' });
    const since = new Date(timeOf(first._id));
    expect(await counted(9)).toEqual({ counts: { skipped: 1, stopped: 1 }, since });
    expect(await counted(1)).toEqual({ counts: { skipped: 1 }, since });
  });

  it('stops at the limit, and returns the time from which there may be more', async () => {
    for (let page = 0; page < 2; page += 1) {
      const ids = { m: tenant, endpoint_id: endpointId };
      const rows = Array.from({ length: 500 }, () => {
        const event_id = mintId('event');
        const state = { next_attempt_at: null };
        return [
          makeDelivery({ ...ids, ...state, event_id, state: 'skipped' }),
          makeDelivery({ ...ids, ...state, event_id, state: 'succeeded' }),
        ];
      });
      await database.mongo.deliveries.insertMany(rows.flat());
    }
    const missed = await delivery({ state: 'skipped' });
    const { counts, since } = await counted(1_000);
    expect(counts).toEqual({});
    expect(since!.getTime()).toBeLessThanOrEqual(timeOf(missed._id));
    expect((await counted(1_001)).counts).toEqual({ skipped: 1 });
  });

  it('returns no time if nothing is selected', async () => {
    expect(await counted(9)).toEqual({ counts: {}, since: null });
  });
});

describe('namedEvents', () => {
  it('returns events of the tenant only, without their bodies', async () => {
    const { body: _, ...own } = await event();
    const foreign = await event({ m: 'mer_2:test' });
    const ids = [own._id, foreign._id, mintId('event')];
    expect(await namedEvents(database.mongo, tenant, ids)).toEqual([own]);
  });
});
