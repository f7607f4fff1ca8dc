/** Guarded requests: listeners on internal addresses of this machine must get no connection. */
import { afterEach, expect } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import type { HostLookup } from '../../outbound/lookup.ts';
import { deliverWebhook } from '../../activities/deliver.ts';
import { makeGate } from '../../outbound/gate.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound, PostResult } from '../../outbound/post.ts';
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/delivery.ts';
import { useDatabase } from '../store/database.ts';
import { makeDelivery, makeEndpoint, makeEvent, sealer } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { openListeners } from './listeners.ts';

const TIMEOUT_MS = 2_000;

export const LOOPBACK = parseRanges(['127.0.0.1/32', '::1/128']);

/** A lookup that fails, for tests that need none. */
export const noLookup: HostLookup = async (host) => {
  throw new Error(`${host} was looked up.`);
};

export const post = async (outbound: Outbound, url: string): Promise<PostResult> =>
  outbound.post({ url, headers: {}, body: '{}' });

/** Opens a database and listeners for a test file. Each test fails if a listener gets a connection. */
export async function useGuard(file: string) {
  const database = await useDatabase(file);
  const listeners = closeAfterTests(await openListeners());
  let outbounds: Outbound[] = [];
  const self = {
    database,
    listeners,

    openOutbound(lookup: HostLookup, opened = parseRanges([])): Outbound {
      const outbound = makeOutbound({ opened, timeoutMs: TIMEOUT_MS, lookup });
      outbounds.push(outbound);
      return outbound;
    },

    /** Inserts an endpoint with that URL, without any check, and a delivery to it. */
    async insertDelivery(url: string) {
      const { mongo } = database;
      const tenant = makePayment().m;
      const endpoint = makeEndpoint({ m: tenant, url });
      const event = makeEvent({ m: tenant });
      const { _id } = endpoint;
      const delivery = makeDelivery({ m: tenant, endpoint_id: _id, event_id: event._id });
      await mongo.endpoints.insertOne(endpoint);
      await mongo.events.insertOne(event);
      await mongo.deliveries.insertOne(delivery);
      return { endpoint, event, delivery };
    },

    /** Makes the next attempt of a delivery at once. Returns the errors of all attempts. */
    async attempt(id: string, outbound: Outbound): Promise<string[] | undefined> {
      const { mongo } = database;
      await mongo.deliveries.updateOne({ _id: id }, { $set: { next_attempt_at: new Date() } });
      const temporal = { startDelivery: async () => undefined };
      const gate = makeGate({ slots: 100, now: Date.now, random: Math.random });
      const scheduleSeconds = DEFAULT_SCHEDULE_SECONDS;
      const log = { info: () => undefined };
      const deps = { mongo, temporal, outbound, gate, sealer, scheduleSeconds, version: '1', log };
      await deliverWebhook(deps, { delivery_id: id }).catch(() => undefined);
      const row = await mongo.deliveries.findOne({ _id: id });
      return row?.attempts.map(({ error }) => error ?? 'none');
    },

    /** Returns the error of the first attempt of a delivery to that URL. */
    async deliverTo(url: string, outbound: Outbound): Promise<string[] | undefined> {
      const { delivery } = await self.insertDelivery(url);
      return self.attempt(delivery._id, outbound);
    },
  };
  afterEach(async () => {
    await Promise.all(outbounds.map(async (outbound) => outbound.close()));
    outbounds = [];
    expect(listeners.connections).toBe(0);
  });
  return self;
}
