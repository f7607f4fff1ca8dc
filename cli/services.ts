/** What the command line works on: the configured services, or those of `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRanges } from '../activities/address.ts';
import type { Range } from '../activities/address.ts';
import type { Config } from '../config.ts';
import { ConfigError, EMBEDDED_CIDRS, deriveKey } from '../config.ts';
import { openMongo } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { makeSealer } from '../store/seal.ts';
import type { Sealer } from '../store/seal.ts';

export interface Services {
  readonly mongo: Mongo;
  readonly sealer: Sealer;
  /** Ranges besides the public ones that receivers may be in. */
  readonly opened: readonly Range[];
}

/**
 * Connects to the configured database, or to the one that runs on the data folder. Throws
 * `ConfigError` when there is neither.
 */
export async function openServices(config: Config): Promise<Services> {
  const encryptionKey = config.encryptionKey ?? readKey(config.dataDir);
  const uri = config.mongoUri ?? readReady(config.dataDir);
  const mongo = await openMongo({ uri });
  const { webhook, mongoUri } = config;
  const embedded = mongoUri === undefined && !webhook.openedByHand;
  return {
    mongo,
    sealer: makeSealer(deriveKey(encryptionKey, 'webhook secrets')),
    opened: embedded ? parseRanges(EMBEDDED_CIDRS.split(',')) : webhook.opened,
  };
}

function readReady(dataDir: string): string {
  const file = path.join(dataDir, 'ready.json');
  if (!existsSync(file)) {
    throw new ConfigError('Nothing is configured (MONGODB_URI) and nothing runs: try npm start.');
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as { mongodb_uri: string }).mongodb_uri;
}

function readKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'secret.key');
  if (!existsSync(file)) throw new ConfigError('ENCRYPTION_KEY is missing.');
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}
