/** A dashboard with builders of its merchant's endpoints and deliveries. */
import type { Delivery } from '../../../domain/delivery.ts';
import type { Endpoint } from '../../../domain/endpoint.ts';
import type { Event } from '../../../domain/event.ts';
import { tenantOf } from '../../../domain/merchant.ts';
import { makeWebhookSecret } from '../../../outbound/sign.ts';
import { makeDelivery, makeEndpoint, makeEvent, sealer } from '../../support/rows/endpoint.ts';
import { openGround } from '../harness.ts';
import type { Ground, Reply } from '../harness.ts';

export interface HooksGround extends Ground {
  /** Stores an endpoint of the merchant. Returns it with its secret in plain text. */
  endpoint(over?: Partial<Endpoint>): Promise<Endpoint & { shown: string }>;
  /** Stores an event and its delivery to that endpoint. */
  delivery(
    endpoint: Pick<Endpoint, '_id' | 'm'>,
    over?: Partial<Delivery>,
    of?: Partial<Event>,
  ): Promise<Delivery>;
  /** Returns the test mode of another merchant. */
  otherTenant(): Promise<string>;
}

/** Opens the dashboard. Stored secrets are sealed as the builders of rows seal them. */
export async function openHooks(file: string): Promise<HooksGround> {
  const ground = await openGround(file, { sealer });
  const { mongo, tenant } = ground;
  return {
    ...ground,
    async endpoint(over = {}) {
      const shown = makeWebhookSecret();
      const row = makeEndpoint({ m: tenant, ...over }, shown);
      await mongo.endpoints.insertOne(row);
      return { ...row, shown };
    },
    async delivery({ _id: endpoint_id, m }, over = {}, of = {}) {
      const event = makeEvent({ m, type: 'payment.completed', ...of });
      const row = makeDelivery({ m, endpoint_id, event_id: event._id, ...over });
      await mongo.events.insertOne(event);
      await mongo.deliveries.insertOne(row);
      return row;
    },
    otherTenant: async () => tenantOf(await ground.addMerchant(), 'test'),
  };
}

/** Returns the value of a field of the page, as the browser would submit it. */
export function valueOf(html: string, name: string): string {
  const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
  return /value="([^"]*)"/.exec(input)?.[1] ?? '';
}

/** Returns the signing secrets that a page shows. */
export function secretsIn(html: string): string[] {
  return [...new Set(html.match(/whsec_[\w+/]{43}=/g))];
}

/** Returns the statuses of replies to requests that were sent at once, in ascending order. */
export function statusesOf(replies: readonly Reply[]): number[] {
  return replies.map(({ status }) => status).toSorted((a, b) => a - b);
}
