/** The demo shop as a separate process, connected to a running server. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Merchant } from '../support/merchant.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { freePort } from '../support/port.ts';

export interface Shop {
  readonly url: string;
  readonly merchant: Merchant;
}

/** Creates the shop's merchant and endpoint, and starts the shop. */
export async function openShop(deployment: Deployment): Promise<Shop> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const merchant = await deployment.createMerchant(`${url}/webhooks`);
  const configFile = path.join(deployment.folder, 'shop.json');
  const config = {
    port,
    shop_url: url,
    api_url: deployment.apiUrl,
    api_key: merchant.apiKey,
    webhook_secret: merchant.secret,
    orders_file: path.join(deployment.folder, 'orders.json'),
  };
  await writeFile(configFile, JSON.stringify(config));
  const args = ['demo/server.js', '--config', configFile];
  await deployment.program('shop', args, { url: `${url}/healthz` }).start();
  return { url, merchant };
}
