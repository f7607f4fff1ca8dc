/** Deliveries without Temporal: a real receiver and a database of the file's own. */
import { afterEach, expect } from 'vitest';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { parseRanges } from '../../outbound/address.ts';
import { deliverWebhook } from '../../activities/deliver.ts';
import { makeGate } from '../../outbound/gate.ts';
import type { Gate } from '../../outbound/gate.ts';
import { makeOutbound } from '../../outbound/post.ts';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/delivery.ts';
import type { Delivery, DeliveryTrigger } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { makeDelivery, makeEndpoint, makeEvent, sealer } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { openReceiver } from '../support/receiver.ts';
import { openDatabase } from '../support/mongo.ts';

/** The receivers respond at once, but a busy machine may be slow. */
const TIMEOUT_MS = 15_000;

/** Opens a database, a gate and a receiver. */
export async function openDeliverGround(file: string, timeoutMs = TIMEOUT_MS) {
  const mongo = await openDatabase(file);
  const opened = parseRanges(['127.0.0.1/32']);
  const outbound = makeOutbound({ opened, timeoutMs });
  const real = makeGate({ slots: 100, now: Date.now, random: Math.random });
  /** The triggers with which deliveries entered the gate. */
  const entered: (DeliveryTrigger | undefined)[] = [];
  const gate: Gate = {
    ...real,
    enter: (endpoint, trigger) => {
      entered.push(trigger);
      return real.enter(endpoint, trigger);
    },
  };
  /** Ids of deliveries that were started meanwhile. */
  const started: string[] = [];
  const startDelivery = async (other: string): Promise<void> => {
    if (self.isTemporalAway) throw new TemporalUnavailable('Temporal is unavailable.');
    started.push(other);
  };
  const self = {
    mongo,
    started,
    entered,
    /** The lines of the log. */
    logged: [] as object[],
    receiver: await openReceiver(),
    isTemporalAway: false,

    /** Replaces the receiver by one that has got no request yet. */
    async renew(): Promise<void> {
      await self.receiver.close();
      started.length = 0;
      entered.length = 0;
      self.logged.length = 0;
      self.isTemporalAway = false;
      self.receiver = await openReceiver();
    },

    /**
     * Stores an endpoint at the receiver, an event and its delivery. Returns them with the secret.
     */
    async begin(endpoint: Partial<Endpoint> = {}, delivery: Partial<Delivery> = {}) {
      const tenant = endpoint.m ?? makePayment().m;
      const secret = makeWebhookSecret();
      const row = makeEndpoint({ m: tenant, url: self.receiver.url, ...endpoint }, secret);
      const event = makeEvent({ m: tenant });
      const made = makeDelivery({
        m: tenant,
        endpoint_id: row._id,
        event_id: event._id,
        ...delivery,
      });
      await mongo.endpoints.insertOne(row);
      await mongo.events.insertOne(event);
      await mongo.deliveries.insertOne(made);
      return { m: tenant, secret, event, endpoint: row, id: made._id };
    },

    read: async (id: string) => (await mongo.deliveries.findOne({ _id: id }))!,
    readEndpoint: async ({ _id }: Endpoint) => (await mongo.endpoints.findOne({ _id }))!,

    /** Runs the activity. `by` opens the secrets, as in the worker's configuration. */
    async deliver(id: string, by = sealer): Promise<void> {
      const scheduleSeconds = DEFAULT_SCHEDULE_SECONDS;
      const deps = {
        mongo,
        temporal: { startDelivery },
        outbound,
        gate,
        sealer: by,
        scheduleSeconds,
        version: '1.2.3',
        log: { info: (line: object) => void self.logged.push(line) },
      };
      return deliverWebhook(deps, { delivery_id: id });
    },

    /** Runs the activity, which must throw. Returns the delay of its failure, in milliseconds. */
    async delayOf(id: string): Promise<number> {
      const failure = await self.deliver(id).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      const { category, nonRetryable, nextRetryDelay } = failure as ApplicationFailure;
      expect(category).toBe(ApplicationFailureCategory.BENIGN);
      expect(nonRetryable).toBeFalsy();
      return Number(nextRetryDelay);
    },

    /** Makes the next attempt due, as after the delay. */
    async makeDue(id: string): Promise<void> {
      await mongo.deliveries.updateOne({ _id: id }, { $set: { next_attempt_at: new Date() } });
    },

    async close(): Promise<void> {
      await self.receiver.close();
      await outbound.close();
      await mongo.close();
    },
  };
  return self;
}

export type DeliverGround = Awaited<ReturnType<typeof openDeliverGround>>;

/** Opens a ground for the calling file. Each test has a new receiver. */
export async function useDeliverGround(file: string): Promise<DeliverGround> {
  const ground = closeAfterTests(await openDeliverGround(file));
  afterEach(async () => ground.renew());
  return ground;
}
