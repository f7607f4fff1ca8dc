/** The demo merchant of `npm start`: made once, its shop's configuration kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endpointById } from '../store/endpoints.ts';
import { moveEndpoint } from '../operations/change-endpoint.ts';
import { createEndpoint } from '../operations/create-endpoint.ts';
import { createMerchant } from './merchant.ts';
import type { Registry } from '../operations/services.ts';

interface DemoOptions {
  dataDir: string;
  shopUrl: string;
  apiUrl: string;
  port: number;
}

export interface Demo {
  /** The file that the shop is started with; it holds its key and its webhook secret. */
  configFile: string;
  email: string;
  /** Only when the merchant was just made: shown once. */
  fresh: { apiKey: string; password: string } | null;
}

interface Saved {
  email: string;
  endpoint_id: string;
  api_key: string;
  webhook_secret: string;
}

/** Makes the demo merchant with its endpoint, unless the data folder has one. */
export async function ensureDemo(services: Registry, options: DemoOptions): Promise<Demo> {
  const configFile = path.join(options.dataDir, 'demo.json');
  const known = existsSync(configFile)
    ? (JSON.parse(readFileSync(configFile, 'utf8')) as Saved)
    : undefined;
  const made = known ? undefined : await makeDemo(services, options);
  const saved = known ?? made?.saved;
  if (!saved) throw new Error('The demo merchant could not be made.');
  const url = receiverOf(options.shopUrl);
  if (known) await moveDemo(services, { id: known.endpoint_id, url });
  const config = {
    ...saved,
    port: options.port,
    shop_url: options.shopUrl,
    api_url: options.apiUrl,
    orders_file: path.join(options.dataDir, 'demo-orders.json'),
  };
  await rm(`${configFile}.new`, { force: true });
  await writeFile(`${configFile}.new`, JSON.stringify(config, null, 2), { mode: 0o600 });
  await rename(`${configFile}.new`, configFile);
  const fresh = made ? { apiKey: made.saved.api_key, password: made.password } : null;
  return { configFile, email: saved.email, fresh };
}

const receiverOf = (shopUrl: string): string => `${shopUrl}/webhooks`;

/** The operator may have deleted the endpoint, or started another database. */
async function moveDemo(services: Registry, { id, url }: { id: string; url: string }) {
  const endpoint = await endpointById(services.mongo, id);
  if (!endpoint || endpoint.status === 'deleted' || endpoint.url === url) return;
  await moveEndpoint(services, { id, url });
}

async function makeDemo(services: Registry, { shopUrl }: DemoOptions) {
  // A start that died before its file was written left a merchant of another address behind.
  const email = `demo-${randomBytes(3).toString('hex')}@example.com`;
  const merchant = await createMerchant(services, { name: 'Demo shop', email, locale: 'en' });
  const endpoint = await createEndpoint(services, {
    merchant: merchant.merchant_id,
    url: receiverOf(shopUrl),
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
