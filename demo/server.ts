/** The demo shop's process: `tsx demo/server.ts --config <file.json>`. */

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';

import { createShop, type ShopOptions } from './shop.ts';

/** Closing takes about a second. After this time the process ends by force. */
const CLOSE_LIMIT_MS = 2_000;
const PORT_MAX = 65_535;

const log = pino({ name: 'demo-shop' });

/** Returns the options in the file. Throws an error that names every fault in it. */
async function readConfig(path: string): Promise<Omit<ShopOptions, 'log'>> {
  const config = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  const faults: string[] = [];
  const text = (name: string, pattern = /./, kind = 'a text'): string => {
    const value = config[name];
    if (typeof value === 'string' && pattern.test(value)) return value;
    faults.push(`${name} must be ${kind}`);
    return '';
  };
  const url = (name: string): string => text(name, /^https?:\/\/\w/, 'an http or https address');
  const port = Number(config['port']);
  if (!Number.isInteger(port) || port < 1 || port > PORT_MAX) {
    faults.push(`port must be a number from 1 to ${PORT_MAX}`);
  }
  const options = {
    port,
    ...(config['host'] === undefined ? {} : { hosts: [text('host')] }),
    shopUrl: url('shop_url'),
    apiUrl: url('api_url'),
    apiKey: text('api_key'),
    webhookSecret: text('webhook_secret'),
    ordersFile: text('orders_file'),
  };
  if (faults.length > 0) throw new Error(`${path}: ${faults.join('; ')}`);
  return options;
}

try {
  const { values } = parseArgs({ options: { config: { type: 'string' } } });
  if (values.config === undefined) throw new Error('usage: server.ts --config <file.json>');
  const options = await readConfig(values.config);
  const shop = await createShop({ ...options, log });
  closeWithGrace({ delay: CLOSE_LIMIT_MS, logger: log }, async ({ err }) => {
    if (err) log.fatal({ err }, 'demo shop stops because of a fault');
    await shop.close();
  });
  log.info({ port: shop.port, url: options.shopUrl }, 'demo shop started');
} catch (error) {
  log.fatal({ err: error }, 'demo shop could not start');
  process.exitCode = 1;
}
