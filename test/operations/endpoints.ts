/** The operations on endpoints, with a database for the test file. No request is sent. */
import { beforeEach } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Services } from '../../operations/services.ts';
import { Refusal } from '../../operations/refusal.ts';
import { rejection, useDatabase } from '../store/database.ts';
import { ACTOR } from '../support/audit.ts';
import { makeDelivery, makeEndpoint, makeEvent, sealer } from '../support/rows/endpoint.ts';

export interface Ground {
  services: Services;
  mongo: Mongo;
  /** Ids of the deliveries that were started. */
  started: string[];
  /** True while Temporal is unavailable. */
  isAway: boolean;
  /** The test's own merchant, and the tenant of its test mode. */
  merchant: string;
  m: string;
  /** Stores an endpoint of the merchant. Returns it with the secret that the merchant was shown. */
  endpoint(over?: Partial<Endpoint>): Promise<Endpoint & { shown: string }>;
  /** Stores a delivery to that endpoint, of an event of its own. */
  delivery(endpoint: Endpoint, over?: Partial<Delivery>): Promise<Delivery>;
  read(endpoint: Pick<Endpoint, '_id'>): Promise<Endpoint>;
}

/** Opens a database for the calling file. Each test has a merchant of its own. */
export async function useGround(file: string): Promise<Ground> {
  const { mongo } = await useDatabase(file);
  const startDelivery = async (id: string): Promise<void> => {
    if (ground.isAway) throw new Error('Temporal is unavailable.');
    ground.started.push(id);
  };
  const opened = parseRanges(['127.0.0.1/32']);
  const ground: Ground = {
    mongo,
    services: { mongo, actor: ACTOR, sealer, opened, temporal: { startDelivery } },
    started: [],
    isAway: false,
    merchant: '',
    m: '',
    async endpoint(over = {}) {
      const shown = makeWebhookSecret();
      const row = makeEndpoint({ m: ground.m, ...over }, shown);
      await mongo.endpoints.insertOne(row);
      return { ...row, shown };
    },
    async delivery({ _id, m: tenant }, over = {}) {
      const event = makeEvent({ m: tenant });
      const row = makeDelivery({ m: tenant, endpoint_id: _id, event_id: event._id, ...over });
      await mongo.events.insertOne(event);
      await mongo.deliveries.insertOne(row);
      return row;
    },
    async read({ _id }) {
      return (await mongo.endpoints.findOne({ _id }))!;
    },
  };
  beforeEach(async () => {
    ground.started = [];
    ground.isAway = false;
    ground.merchant = mintId('merchant');
    ground.m = tenantOf(ground.merchant, 'test');
    const named = { name: 'Shop', locale: 'en' as const, created_at: new Date() };
    await mongo.merchants.insertOne({ _id: ground.merchant, ...named });
  });
  return ground;
}

/** Returns the code and the parameter of a refusal. */
export async function refusalOf(refused: Promise<unknown>): Promise<[string, string | null]> {
  const error = await rejection(refused);
  if (!(error instanceof Refusal)) throw error;
  const { code, errors } = error;
  const param = errors[0]?.param ?? null;
  return [code, param];
}
