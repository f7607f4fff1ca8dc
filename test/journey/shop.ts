/** The demo shop as a process of its own, connected to a running server. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Merchant } from '../support/merchant.ts';
import type { Stage } from '../support/servers/processes.ts';
import { freePort } from '../../embedded/ports.ts';

export interface Shop {
  readonly url: string;
  readonly merchant: Merchant;
}

/** Creates the shop's merchant and endpoint, and starts the shop. */
export async function openShop(stage: Stage): Promise<Shop> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const merchant = await stage.hire(`${url}/webhooks`);
  const configFile = path.join(stage.folder, 'shop.json');
  const config = {
    port,
    shop_url: url,
    api_url: stage.apiUrl,
    api_key: merchant.apiKey,
    webhook_secret: merchant.secret,
    orders_file: path.join(stage.folder, 'orders.json'),
  };
  await writeFile(configFile, JSON.stringify(config));
  const args = ['demo/server.js', '--config', configFile];
  await stage.program('shop', args, { url: `${url}/healthz` }).start();
  return { url, merchant };
}
