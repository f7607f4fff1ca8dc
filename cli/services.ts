/** What the command line works on: the configured services, or those of `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRanges } from '../activities/address.ts';
import type { Range } from '../activities/address.ts';
import type { Config } from '../config.ts';
import { ConfigError, EMBEDDED_CIDRS, deriveKey, readTemporal } from '../config.ts';
import { makeLog } from '../log.ts';
import type { Delivery } from '../domain/delivery.ts';
import { openMongo } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { makeSealer } from '../store/seal.ts';
import type { Sealer } from '../store/seal.ts';
import { lazyConnection, makeTemporal } from '../temporal.ts';
import type { Temporal } from '../temporal.ts';

const NOTHING_HERE =
  'Nothing runs on the data folder either: do `npm start` first, or point DATA_DIR at its data.';

/** What registering something takes. */
export type Registry = Pick<Services, 'mongo' | 'sealer' | 'opened'>;

export interface Services {
  readonly mongo: Mongo;
  readonly sealer: Sealer;
  /** Ranges besides the public ones that receivers may be in. */
  readonly opened: readonly Range[];
  readonly temporal: Temporal;
  readonly close: () => Promise<void>;
}

/**
 * Connects to the configured database, or to the one that runs on the data folder. Throws
 * `ConfigError` when there is neither.
 */
export async function openServices(config: Config): Promise<Services> {
  const encryptionKey = config.encryptionKey ?? readKey(config.dataDir);
  const uri = config.mongoUri ?? readReady(config.dataDir).mongodb_uri;
  const mongo = await openMongo({ uri });
  const temporal = openTemporal(config);
  const { webhook, mongoUri } = config;
  const embedded = mongoUri === undefined && !webhook.openedByHand;
  return {
    mongo,
    sealer: makeSealer(deriveKey(encryptionKey, 'webhook secrets')),
    opened: embedded ? parseRanges(EMBEDDED_CIDRS.split(',')) : webhook.opened,
    temporal,
    close: async () => {
      await Promise.all([mongo.close(), temporal.close()]);
    },
  };
}

/** Connects when it is first needed: most commands are about the database alone. */
function openTemporal(config: Config): Temporal {
  const { connectionOptions, namespace } = readTemporal();
  const isOurs = config.mongoUri === undefined && !config.temporalGiven;
  const address = isOurs ? readReady(config.dataDir).temporal_address : connectionOptions.address;
  return makeTemporal({
    connection: lazyConnection({ ...connectionOptions, ...(address ? { address } : {}) }),
    namespace,
    webhookTimeoutMs: config.webhook.timeoutMs,
    log: makeLog('cli', 'silent'),
  });
}

/** Starts a delivery; what cannot be started now is found by the sweep, since its row is there. */
export async function startSoon(
  { temporal }: Pick<Services, 'temporal'>,
  { _id }: Delivery,
): Promise<{ id: string; starts: string }> {
  const isStarted = await temporal.startDelivery(_id).then(
    () => true,
    () => false,
  );
  return { id: _id, starts: isStarted ? 'now' : 'within a minute or two' };
}

function readReady(dataDir: string): { mongodb_uri: string; temporal_address: string } {
  const file = path.join(dataDir, 'ready.json');
  if (!existsSync(file)) {
    throw new ConfigError(`MONGODB_URI is missing. ${NOTHING_HERE}`);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readReady>;
}

function readKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'secret.key');
  if (!existsSync(file)) throw new ConfigError(`ENCRYPTION_KEY is missing. ${NOTHING_HERE}`);
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}
