/** The demo shop's process: `tsx demo/server.ts --config <file.json>`. */

import { parseArgs } from 'node:util';

import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';

import { readJson } from './file.ts';
import { member, textMember } from './json.ts';
import { createShop, type ShopOptions } from './shop.ts';

/** Closing takes about a second at most; whoever started us waits no longer than this. */
const CLOSE_LIMIT_MS = 2_000;
const PORT_MAX = 65_535;

const log = pino({ name: 'demo-shop' });

/** Reads the file that the all-in-one start wrote; throws naming everything that is wrong in it. */
async function readConfig(path: string): Promise<ShopOptions> {
  const config = await readJson(path);
  if (config === undefined) throw new Error(`there is no configuration file ${path}`);
  const faults: string[] = [];
  const text = (name: string): string => {
    const value = textMember(config, name);
    if (value === '') faults.push(`${name} must be a text`);
    return value;
  };
  const url = (name: string): string => {
    const value = text(name);
    if (value !== '' && !(URL.canParse(value) && /^https?:/.test(value))) {
      faults.push(`${name} must be an http or https address`);
    }
    return value;
  };
  const port = Number(member(config, 'port'));
  if (!Number.isInteger(port) || port < 1 || port > PORT_MAX) {
    faults.push(`port must be a number from 1 to ${PORT_MAX}`);
  }
  const options = {
    port,
    shopUrl: url('shop_url'),
    apiUrl: url('api_url'),
    apiKey: text('api_key'),
    webhookSecret: text('webhook_secret'),
    ordersFile: text('orders_file'),
  };
  if (faults.length > 0) throw new Error(`${path}: ${faults.join('; ')}`);
  return options;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' } } });
  if (values.config === undefined) throw new Error('usage: server.ts --config <file.json>');
  const options = await readConfig(values.config);
  const shop = await createShop({ ...options, log });
  closeWithGrace({ delay: CLOSE_LIMIT_MS, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, 'demo shop stops because of a fault');
    await shop.close();
  });
  log.info({ port: shop.port, url: options.shopUrl }, 'demo shop is open');
}

try {
  await main();
} catch (error) {
  log.fatal({ err: error }, 'demo shop cannot open');
  process.exitCode = 1;
}
