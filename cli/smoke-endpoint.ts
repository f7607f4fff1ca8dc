/** The endpoint of `tollgate smoke`, which exists only while the command runs. */
import { readConfig } from '../config.ts';
import { tenantOf } from '../domain/merchant.ts';
import { deleteEndpoint } from '../operations/change-endpoint.ts';
import { createEndpoint } from '../operations/create-endpoint.ts';
import { listEndpoints } from '../store/endpoints.ts';
import { findKeys, hashOfKey } from '../store/keys.ts';
import { faultOf } from './act.ts';
import { invalid } from './refusals.ts';
import { openServices } from './services.ts';
import type { OpenServices } from './services.ts';

/** Marks the endpoint for people, and for a later run if this one is killed. */
const DESCRIPTION = 'tollgate smoke';
const EVENTS = 'payment.completed,refund.completed';

export interface SmokeEndpoint {
  readonly secret: string;
  /** Deletes the endpoint. */
  remove(): Promise<void>;
}

/** Registers the receiver with the merchant of the API key. Needs the database of the service. */
export async function registerEndpoint(url: URL, apiKey: string): Promise<SmokeEndpoint> {
  return sayingUnavailable(async () => {
    const services = await openServices(readConfig());
    try {
      const merchant = await merchantOf(services, apiKey);
      await removeLeftovers(services, merchant, url);
      const wanted = { merchant, url: url.href, events: EVENTS, description: DESCRIPTION };
      const { id, secret } = await createEndpoint(services, wanted);
      return {
        secret,
        remove: async () =>
          sayingUnavailable(async () => {
            try {
              await deleteEndpoint(services, { id });
            } finally {
              await services.close();
            }
          }),
      };
    } catch (error) {
      await services.close();
      throw error;
    }
  });
}

async function merchantOf({ mongo }: OpenServices, apiKey: string): Promise<string> {
  const hash = hashOfKey(apiKey);
  const key = hash === null ? undefined : (await findKeys(mongo, [hash])).get(hash);
  if (key) return key.merchant_id;
  throw invalid('api-key', 'The API key is not one of this database: see MONGODB_URI.');
}

/** Deletes what a run at the same address has left that was killed. */
async function removeLeftovers(services: OpenServices, merchant: string, url: URL): Promise<void> {
  const all = await listEndpoints(services.mongo, tenantOf(merchant, 'test'));
  const left = all.filter((each) => each.url === url.href && each.description === DESCRIPTION);
  for (const { _id: id } of left) await deleteEndpoint(services, { id });
}

async function sayingUnavailable<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw faultOf(error);
  });
}
