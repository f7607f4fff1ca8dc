import { describe, expect, it } from 'vitest';
import { hasFailedForTooLong } from '../../activities/disable.ts';
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/delivery.ts';
import type { DeliveryAttempt } from '../../domain/delivery.ts';
import { DISABLE_AFTER_MS } from '../../domain/endpoint.ts';
import { changeEndpoint, setFailingSince } from '../../store/endpoints.ts';
import { mintId } from '../../store/mint.ts';
import { entriesAbout, makeEntry, withoutAudit } from '../support/audit.ts';
import { makeDelivery, makeEndpoint } from '../support/rows/endpoint.ts';
import { useDeliverGround } from './dispatch.ts';
import { merchantOf } from '../../domain/merchant.ts';

const DISABLED = 'webhook_endpoint.disabled';

const ground = await useDeliverGround('disable');

/** All attempts but the last one, failed. */
function failedAttempts(): DeliveryAttempt[] {
  return DEFAULT_SCHEDULE_SECONDS.slice(1).map((_, index) => ({
    number: index + 1,
    at: new Date(),
    duration_ms: 5,
    status: 500,
    error: 'status',
  }));
}

const eventsOf = async (tenant: string) =>
  ground.mongo.events.find({ m: tenant, type: DISABLED }).toArray();

describe('an endpoint stays enabled', () => {
  it('if all attempts of a delivery failed, but not for 5 days', async () => {
    ground.receiver.respond = () => ({ status: 500 });
    const failing_since = new Date(Date.now() - DISABLE_AFTER_MS + 60_000);
    const {
      id,
      endpoint,
      m: tenant,
    } = await ground.begin({ failing_since }, { attempts: failedAttempts() });
    await ground.deliver(id);
    expect(await ground.read(id)).toMatchObject({ state: 'failed' });
    expect(await ground.readEndpoint(endpoint)).toMatchObject({ status: 'enabled', failing_since });
    expect(await eventsOf(tenant)).toEqual([]);
  });

  it('if it has failed for 5 days, but this delivery has attempts left', async () => {
    ground.receiver.respond = () => ({ status: 500 });
    const failing_since = new Date(Date.now() - 2 * DISABLE_AFTER_MS);
    const { id, endpoint } = await ground.begin({ failing_since });
    await ground.delayOf(id);
    expect(await ground.readEndpoint(endpoint)).toMatchObject({ status: 'enabled', failing_since });
  });

  it('if this attempt succeeds after 5 days of failures', async () => {
    const failing_since = new Date(Date.now() - 2 * DISABLE_AFTER_MS);
    const { id, endpoint } = await ground.begin({ failing_since }, { attempts: failedAttempts() });
    await ground.deliver(id);
    const after = await ground.readEndpoint(endpoint);
    expect(after).toMatchObject({ status: 'enabled', failing_since: null });
  });
});

describe('an endpoint that was changed while a request was under way', () => {
  it('stays enabled at its new URL, where the next attempt goes', async () => {
    const { id, endpoint, m: tenant } = await ground.begin();
    const waiting = makeDelivery({
      m: tenant,
      endpoint_id: endpoint._id,
      event_id: mintId('event'),
    });
    await ground.mongo.deliveries.insertOne(waiting);
    const url = `${ground.receiver.url}/moved`;
    ground.receiver.respond = async () => {
      const after = { ...endpoint, url, updated_at: new Date() };
      await changeEndpoint(ground.mongo, { before: endpoint, after, entry: makeEntry() });
      return { status: 410 };
    };
    const delayMs = await ground.delayOf(id);
    expect(delayMs).toBeGreaterThanOrEqual(4_000);
    const after = await ground.readEndpoint(endpoint);
    expect(after).toMatchObject({ status: 'enabled', disabled_reason: null, url });
    expect(await ground.read(id)).toMatchObject({ state: 'pending', attempts: [{ status: 410 }] });
    expect(await ground.read(waiting._id)).toEqual(waiting);
    expect(await eventsOf(tenant)).toEqual([]);
  });

  it('stays enabled if it has worked meanwhile, even without attempts left', async () => {
    const failing_since = new Date(Date.now() - 2 * DISABLE_AFTER_MS);
    const { id, endpoint } = await ground.begin({ failing_since }, { attempts: failedAttempts() });
    ground.receiver.respond = async () => {
      await setFailingSince(ground.mongo, endpoint, null);
      return { status: 500 };
    };
    await ground.deliver(id);
    expect(await ground.read(id)).toMatchObject({ state: 'failed', next_attempt_at: null });
    expect(await ground.readEndpoint(endpoint)).toMatchObject({ status: 'enabled' });
  });
});

describe('disabling an endpoint', () => {
  it('records its last attempt while Temporal is unavailable, and notifies the others later', async () => {
    ground.receiver.respond = () => ({ status: 410 });
    const { id, m: tenant } = await ground.begin();
    await ground.mongo.endpoints.insertOne(makeEndpoint({ m: tenant }));
    ground.isTemporalAway = true;
    await ground.deliver(id);
    expect(await ground.read(id)).toMatchObject({ state: 'failed', attempts: [{ status: 410 }] });
    const [event] = await eventsOf(tenant);
    const sent = await ground.mongo.deliveries.find({ event_id: event!._id }).toArray();
    expect(sent).toMatchObject([{ state: 'pending' }]);
  });

  it.each([
    ['gone', 410, 0],
    ['failing', 500, DISABLE_AFTER_MS],
  ] as const)(
    'as "%s" after status %i notifies the others once',
    async (reason, status, sinceMs) => {
      ground.receiver.respond = () => ({ status });
      const {
        id,
        endpoint,
        m: tenant,
      } = await ground.begin(
        { failing_since: new Date(Date.now() - sinceMs) },
        { attempts: failedAttempts() },
      );
      const other = makeEndpoint({ m: tenant });
      const deaf = makeEndpoint({ m: tenant, enabled_events: ['payment.*'] });
      await ground.mongo.endpoints.insertMany([other, deaf]);
      await ground.deliver(id);
      await ground.deliver(id);

      expect(await ground.read(id)).toMatchObject({ state: 'failed', next_attempt_at: null });
      const after = await ground.readEndpoint(endpoint);
      expect(after).toMatchObject({ status: 'disabled', disabled_reason: reason });
      const events = await eventsOf(tenant);
      expect(events).toHaveLength(1);
      const [event] = events;
      expect(JSON.parse(event!.body)).toMatchObject({
        id: event!._id,
        type: DISABLED,
        data: { object: { id: endpoint._id, status: 'disabled', disabled_reason: reason } },
      });
      expect(event!.body).not.toContain('whsec_');
      const sent = await ground.mongo.deliveries.find({ event_id: event!._id }).toArray();
      const states = Object.fromEntries(sent.map((row) => [row.endpoint_id, row.state]));
      expect(states).toEqual({ [other._id]: 'pending' });
      expect(ground.started).toEqual(sent.map((row) => row._id));
      expect(await entriesAbout(ground.mongo, endpoint._id)).toEqual([
        expect.objectContaining({
          actor: { type: 'system', name: 'tollgate' },
          action: 'endpoint.disable',
          merchant_id: merchantOf(tenant),
          before: { status: 'enabled', disabled_reason: null },
          after: { status: 'disabled', disabled_reason: reason },
        }),
      ]);
    },
  );

  it('fails if its audit entry cannot be written', async () => {
    ground.receiver.respond = () => ({ status: 410 });
    const { id, endpoint, m: tenant } = await ground.begin();
    await expect(withoutAudit(ground.mongo, async () => ground.deliver(id))).rejects.toThrow();
    expect(await ground.readEndpoint(endpoint)).toMatchObject({ status: 'enabled' });
    expect(await eventsOf(tenant)).toEqual([]);
  });

  it('happens at the first attempt if the receiver responds with 410', async () => {
    ground.receiver.respond = () => ({ status: 410 });
    const { id, endpoint } = await ground.begin();
    await ground.deliver(id);
    expect((await ground.read(id)).attempts).toMatchObject([{ number: 1, status: 410 }]);
    expect(await ground.readEndpoint(endpoint)).toMatchObject({ disabled_reason: 'gone' });
  });

  it('stops its pending deliveries, but not those of other endpoints', async () => {
    ground.receiver.respond = () => ({ status: 410 });
    const { id, endpoint, m: tenant } = await ground.begin();
    const waiting = { m: tenant, event_id: mintId('event'), next_attempt_at: new Date() };
    const own = makeDelivery({ ...waiting, endpoint_id: endpoint._id });
    const other = makeDelivery({ ...waiting, endpoint_id: mintId('endpoint') });
    await ground.mongo.deliveries.insertMany([own, other]);
    await ground.deliver(id);
    expect(await ground.read(own._id)).toMatchObject({ state: 'stopped', next_attempt_at: null });
    expect(await ground.read(other._id)).toEqual(other);
  });

  it('happens once if two deliveries try it at the same time', async () => {
    ground.receiver.respond = () => ({ status: 410 });
    const first = await ground.begin();
    const second = await ground.begin({ m: first.m });
    await ground.mongo.deliveries.updateOne(
      { _id: second.id },
      { $set: { endpoint_id: first.endpoint._id } },
    );
    await Promise.all([ground.deliver(first.id), ground.deliver(second.id)]);
    expect(await eventsOf(first.m)).toHaveLength(1);
  });
});

describe('hasFailedForTooLong', () => {
  const now = new Date();
  it.each([
    [null, false],
    [new Date(now.getTime() - DISABLE_AFTER_MS + 1), false],
    [new Date(now.getTime() - DISABLE_AFTER_MS), true],
  ])('since %s: %s', (failing_since, tooLong) => {
    const endpoint = makeEndpoint({ m: 'mer_1:test', failing_since });
    expect(hasFailedForTooLong(endpoint, now)).toBe(tooLong);
  });
});
