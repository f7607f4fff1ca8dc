import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { Replay } from '../../domain/replay.ts';
import type { Refusal } from '../../operations/refusal.ts';
import { mintId } from '../../store/mint.ts';
import {
  countReplay,
  endReplay,
  listReplays,
  showReplay,
  startReplay,
} from '../../operations/replay.ts';
import type { ReplayRequest } from '../../operations/replay.ts';
import { eventsOf, failuresIn } from '../../operations/selection.ts';
import { rejection, useDatabase } from '../store/database.ts';
import { ACTOR } from '../support/audit.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { until } from '../support/until.ts';
import { insertAll } from '../support/insert.ts';

const database = await useDatabase('webhooks-replay');
const resumed: string[] = [];
let isAway = false;
const temporal = {
  resumeReplay: async (id: string) => {
    if (isAway) throw new Error('away');
    resumed.push(id);
  },
};

const services = () => ({ mongo: database.mongo, actor: ACTOR, temporal });
const refusalOf = async (promise: Promise<unknown>) => {
  const { errors } = (await rejection(promise)) as Refusal;
  return errors[0];
};

async function endpoint(overrides: Partial<Endpoint> = {}): Promise<Endpoint> {
  const row = makeEndpoint({ m: makePayment().m, ...overrides });
  await database.mongo.endpoints.insertOne(row);
  return row;
}

/** Waits until the rows are older than the next request. */
async function nextMillisecond(): Promise<void> {
  const made = Date.now();
  await until(Date.now, (now) => now > made);
}

/** Stores `count` failed deliveries that are older than the next request. */
async function failed({ m: tenant, _id }: Endpoint, count: number): Promise<void> {
  const row = () =>
    makeDelivery({
      m: tenant,
      endpoint_id: _id,
      event_id: mintId('event'),
      state: 'failed',
      next_attempt_at: null,
    });
  await insertAll(database.mongo.deliveries, Array.from({ length: count }, row));
  await nextMillisecond();
}

const requestFor = ({ _id }: Endpoint, overrides: Partial<ReplayRequest> = {}): ReplayRequest => ({
  endpoint: _id,
  from: new Date(0),
  until: new Date(Date.now() + 60_000),
  selection: failuresIn('failed'),
  ...overrides,
});

const none = async () => expect(await database.mongo.replays.countDocuments()).toBe(0);

describe('startReplay refuses', () => {
  it.each([
    ['an endpoint that does not exist', { _id: 'we_1' }, 'resource_missing'],
    ['an endpoint that is deleted', { status: 'deleted' }, 'resource_missing'],
    ['an endpoint that is disabled', { status: 'disabled' }, 'parameter_invalid'],
  ] as [string, Partial<Endpoint>, string][])('%s', async (_, overrides, code) => {
    const row = makeEndpoint({ m: makePayment().m, ...overrides });
    if (row._id !== 'we_1') await database.mongo.endpoints.insertOne(row);
    expect(await refusalOf(startReplay(services(), requestFor(row)))).toMatchObject({ code });
    await none();
  });

  it.each(['0', '101', '1.5', '-1', 'ten', ''])('a rate of %j', async (perSecond) => {
    const request = { ...requestFor(await endpoint()), perSecond };
    for (const action of [countReplay, startReplay]) {
      expect(await refusalOf(action(services(), request))).toMatchObject({ param: 'per-second' });
    }
    await none();
  });

  it('a time range that ends before it begins, or is in the future', async () => {
    const row = await endpoint();
    const [early, late] = [new Date(1_000), new Date(2_000)];
    const turned = requestFor(row, { from: late, until: early });
    expect(await refusalOf(startReplay(services(), turned))).toMatchObject({ param: 'until' });
    const ahead = requestFor(row, { from: new Date(Date.now() + 60_000) });
    expect(await refusalOf(startReplay(services(), ahead))).toMatchObject({ param: 'until' });
    await none();
  });

  it('events that the endpoint does not subscribe to', async () => {
    const row = await endpoint({ enabled_events: ['refund.*'] });
    const request = requestFor(row, { selection: eventsOf({ events: 'payment.*' }) });
    expect(await refusalOf(startReplay(services(), request))).toMatchObject({ param: 'events' });
    await none();
  });
});

describe('startReplay', () => {
  it('starts one replay at a time for an endpoint, with the events that it counted', async () => {
    const row = await endpoint();
    await failed(row, 3);
    const counted = await countReplay(services(), requestFor(row));
    expect(counted).toEqual({ endpoint_id: row._id, total: 3, left_out: 0 });
    const begun = await startReplay(services(), { ...requestFor(row), perSecond: '7' });
    expect(begun).toMatchObject({ total: 3, sent: 0, per_second: 7, status: 'running' });
    expect(begun['starts']).toBe('now');
    expect(resumed).toContain(begun['id']);
    const again = await refusalOf(startReplay(services(), requestFor(row)));
    expect(again).toMatchObject({ code: 'parameter_invalid', param: 'endpoint' });
    expect(JSON.stringify(again)).toContain(String(begun['id']));
  });

  it('creates no replay if there is nothing to send', async () => {
    const row = await endpoint();
    expect(await startReplay(services(), requestFor(row))).toMatchObject({ id: null, total: 0 });
    expect(await database.mongo.replays.countDocuments({ endpoint_id: row._id })).toBe(0);
  });

  it('does not select its own deliveries', async () => {
    const row = await endpoint();
    await failed(row, 1);
    const { id } = await startReplay(services(), requestFor(row));
    const { until: end, created_at } = (await database.mongo.replays.findOne({ _id: String(id) }))!;
    expect(end.getTime()).toBeLessThanOrEqual(created_at.getTime());
  });

  it('selects the types that the endpoint subscribes to, without pings', async () => {
    const row = await endpoint({ enabled_events: ['refund.*', 'webhook_endpoint.*'] });
    const types = ['refund.created', 'payment.failed', 'webhook_endpoint.ping'] as const;
    const events = types.map((type) => makeEvent({ m: row.m, type }));
    await insertAll(database.mongo.events, events);
    await nextMillisecond();
    const request = requestFor(row, { selection: eventsOf({}) });
    expect(await countReplay(services(), request)).toMatchObject({ total: 1 });
  });

  it('refuses pings, because they are never replayed', async () => {
    const selection = eventsOf({ events: 'webhook_endpoint.ping' });
    const refused = await refusalOf(
      countReplay(services(), requestFor(await endpoint(), { selection })),
    );
    expect(refused).toMatchObject({
      param: 'events',
      message: expect.stringContaining('never replayed'),
    });
  });

  it('leaves the start to the sweep if Temporal is unavailable', async () => {
    const row = await endpoint();
    await failed(row, 1);
    isAway = true;
    const begun = await startReplay(services(), requestFor(row));
    isAway = false;
    expect(begun['starts']).toContain('minute');
    expect(await database.mongo.replays.findOne({ _id: String(begun['id']) })).toMatchObject({
      status: 'running',
    });
  });
});

const stored = async (overrides: Partial<Replay> = {}): Promise<Replay> => {
  const { m: tenant, _id } = await endpoint();
  const row = makeReplay({ m: tenant, endpoint_id: _id, ...overrides });
  await database.mongo.replays.insertOne(row);
  return row;
};

describe('a replay', () => {
  it('that does not exist can be neither shown nor stopped', async () => {
    for (const action of [showReplay, endReplay]) {
      const refused = refusalOf(action(services(), { id: 'rpl_1' }));
      expect(await refused).toMatchObject({ code: 'resource_missing' });
    }
  });

  it('is listed with its endpoint, newest first', async () => {
    const first = await stored({ status: 'completed' });
    const second = makeReplay({ m: first.m, endpoint_id: first.endpoint_id });
    await database.mongo.replays.insertOne(second);
    await stored();
    const { replays } = await listReplays(services(), { endpoint: first.endpoint_id });
    expect((replays as { id: string }[]).map(({ id }) => id)).toEqual([second._id, first._id]);
  });

  it('is stopped with its pending deliveries', async () => {
    const row = await stored({ sent: 1 });
    const { m: tenant, endpoint_id, _id } = row;
    await database.mongo.deliveries.insertOne(
      makeDelivery({ m: tenant, endpoint_id, event_id: mintId('event'), replay_id: _id }),
    );
    expect(await endReplay(services(), { id: _id })).toMatchObject({
      id: _id,
      status: 'stopped',
      sent: 1,
      deliveries_stopped: 1,
    });
  });
});
