/** Guarded doors under watch: traps on the inner addresses of this machine stay empty. */
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
import { forFile } from '../support/file.ts';
import { openTraps } from './traps.ts';

const TIMEOUT_MS = 2_000;

export const EMBEDDED = parseRanges(['127.0.0.1/32', '::1/128']);

/** Must not be needed. */
export const nobody: HostLookup = async (host) => {
  throw new Error(`${host} was asked for.`);
};

export const post = async (outbound: Outbound, url: string): Promise<PostResult> =>
  outbound.post({ url, headers: {}, body: '{}' });

/** A database and traps for the file that calls it. After each test the traps must be empty. */
export async function useGuard(file: string) {
  const database = await useDatabase(file);
  const traps = forFile(await openTraps());
  let outbounds: Outbound[] = [];
  const self = {
    database,
    traps,

    guarded(lookup: HostLookup, opened = parseRanges([])): Outbound {
      const outbound = makeOutbound({ opened, timeoutMs: TIMEOUT_MS, lookup });
      outbounds.push(outbound);
      return outbound;
    },

    /** An endpoint of a new merchant that has that URL, however it came to it, and a delivery. */
    async plant(url: string) {
      const { mongo } = database;
      const m = makePayment().m;
      const endpoint = makeEndpoint({ m, url });
      const event = makeEvent({ m });
      const { _id } = endpoint;
      const delivery = makeDelivery({ m, endpoint_id: _id, event_id: event._id });
      await mongo.endpoints.insertOne(endpoint);
      await mongo.events.insertOne(event);
      await mongo.deliveries.insertOne(delivery);
      return { endpoint, event, delivery };
    },

    /** Makes the next attempt of a delivery, as if it were due; answers what each has ended with. */
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

    /** What the first attempt of a delivery to an endpoint with that URL ends with. */
    async deliverTo(url: string, outbound: Outbound): Promise<string[] | undefined> {
      const { delivery } = await self.plant(url);
      return self.attempt(delivery._id, outbound);
    },
  };
  afterEach(async () => {
    await Promise.all(outbounds.map(async (outbound) => outbound.close()));
    outbounds = [];
    expect(traps.connections).toBe(0);
  });
  return self;
}
