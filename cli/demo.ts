/** The demo merchant. The data folder keeps the settings of its shop. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { replaceFile } from '../embedded/files.ts';
import { updateEndpoint } from '../operations/change-endpoint.ts';
import { createEndpoint } from '../operations/create-endpoint.ts';
import { createMerchant } from '../operations/merchant.ts';
import type { Registry, Shown } from '../operations/services.ts';
import { endpointById } from '../store/endpoints.ts';
import type { Mongo } from '../store/mongo.ts';

/** Addresses of the demo's users, which nobody receives e-mail at. */
const DEMO_EMAIL = /^demo-[0-9a-f]{6}@example\.com$/;
/** Each interrupted first start may leave a user. More than these are not looked at. */
const MAX_LEFT = 100;

interface DemoOptions {
  dataDir: string;
  shopUrl: string;
  apiUrl: string;
  port: number;
  /** The address that webhooks go to. By default, that of the shop. */
  receiverUrl?: string;
  /** The address that the shop listens on. By default, only its own machine reaches it. */
  host?: string;
}

export interface Demo {
  /** The file that the shop is started with. It holds the shop's key and webhook secret. */
  configFile: string;
  email: string;
  /** Set if the merchant was just created. It is shown only once. */
  fresh: { apiKey: string; password: string } | null;
}

interface Saved {
  email: string;
  endpoint_id: string;
  api_key: string;
  webhook_secret: string;
}

/** Creates the demo merchant with its endpoint, unless the data folder has one. */
export async function ensureDemo(services: Registry, options: DemoOptions): Promise<Demo> {
  const { dataDir, shopUrl, apiUrl, port, receiverUrl, host } = options;
  const configFile = path.join(dataDir, 'demo.json');
  const url = receiverUrl ?? `${shopUrl}/webhooks`;
  let saved: Saved;
  let fresh: Demo['fresh'] = null;
  if (existsSync(configFile)) {
    saved = JSON.parse(readFileSync(configFile, 'utf8')) as Saved;
    await moveDemo(services, { id: saved.endpoint_id, url });
  } else {
    const made = await makeDemo(services, url);
    ({ saved } = made);
    fresh = { apiKey: saved.api_key, password: made.password };
  }
  const orders_file = path.join(dataDir, 'demo-orders.json');
  const config = { ...saved, host, port, shop_url: shopUrl, api_url: apiUrl, orders_file };
  replaceFile(configFile, JSON.stringify(config, null, 2));
  return { configFile, email: saved.email, fresh };
}

/** Creates the demo merchant for a shop that runs elsewhere. Returns its login. */
export async function prepareDemo(
  services: Registry & { readonly config: Pick<Config, 'dataDir' | 'ports'> },
  { shopUrl, receiverUrl, apiUrl }: Record<'shopUrl' | 'receiverUrl' | 'apiUrl', string>,
): Promise<Shown> {
  const { dataDir, ports } = services.config;
  const host = '0.0.0.0';
  const options = { dataDir, port: ports.demo, shopUrl, receiverUrl, apiUrl, host };
  const { configFile, email, fresh } = await ensureDemo(services, options);
  return { email, ...(fresh && { password: fresh.password }), config_file: configFile };
}

/** Updates the endpoint's URL. Does nothing if the endpoint is deleted or in another database. */
async function moveDemo(services: Registry, { id, url }: { id: string; url: string }) {
  const endpoint = await endpointById(services.mongo, id);
  if (!endpoint || endpoint.status === 'deleted' || endpoint.url === url) return;
  await updateEndpoint(services, { id, url });
}

async function makeDemo(services: Registry, url: string) {
  // Random, because an interrupted start may have left a merchant without its file.
  const email = `demo-${randomBytes(3).toString('hex')}@example.com`;
  const merchant = await createMerchant(services, { name: 'Demo shop', email, locale: 'en' });
  const endpoint = await createEndpoint(services, {
    merchant: merchant.merchant_id,
    url,
    events: '*',
    description: 'the demo shop',
  });
  const saved: Saved = {
    email,
    endpoint_id: endpoint.id,
    api_key: merchant.test_api_key,
    webhook_secret: endpoint.secret,
  };
  return { saved, password: merchant.dashboard_password };
}

/** Returns true if there is a user besides those of the demo. */
export async function hasOwnUser(mongo: Mongo): Promise<boolean> {
  const found = mongo.users.find({}, { projection: { email: 1 } }).limit(MAX_LEFT);
  const users = await found.toArray();
  return users.some(({ email }) => !DEMO_EMAIL.test(email));
}
