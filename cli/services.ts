/** Opens the services that commands work on: the configured ones, or those of `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRanges } from '../outbound/address.ts';
import type { Config } from '../config.ts';
import { ConfigError, EMBEDDED_CIDRS, readTemporal } from '../config.ts';
import { readKeys } from '../embedded/keys.ts';
import { deriveKeys, withMoreKeys } from '../store/encryption.ts';
import type { Keys } from '../store/encryption.ts';
import { isUnavailable, openMongo } from '../store/mongo.ts';
import type { Mongo, MongoOptions } from '../store/mongo.ts';
import { makeSealer } from '../store/seal.ts';
import { requireIndexes } from '../store/survey.ts';
import type { Temporal } from '../temporal/client.ts';
import type { Services } from '../operations/services.ts';
import { operatorOf } from './operator.ts';

const NOTHING_HERE =
  'Nothing uses the data folder either: run `npm start` first, or set DATA_DIR to its folder.';

/** The calls to Temporal that commands make. */
type Starter = Pick<Temporal, 'startDelivery' | 'resumeReplay' | 'close'>;

export interface OpenServices extends Services {
  readonly temporal: Starter;
  readonly config: Config;
  readonly close: () => Promise<void>;
}

/**
 * Connects to the configured database, or to the one that runs on the data folder. Throws
 * `ConfigError` if there is neither, an error that names the place if it cannot be reached, and
 * `IndexesMissing` if it has not been migrated.
 */
export async function openServices(config: Config): Promise<OpenServices> {
  // Checks that may throw run first, while no connection is open.
  const actor = operatorOf(config.actor);
  const { current, previous } = deriveKeys(keysOf(config), 'webhook secrets');
  const mongo = await openDatabase(config);
  try {
    await requireIndexes(mongo);
    const temporal = openTemporal(config);
    const { webhook, mongoUri } = config;
    const embedded = mongoUri === undefined && !webhook.openedByHand;
    return {
      mongo,
      actor,
      sealer: makeSealer(current, previous),
      opened: embedded ? parseRanges(EMBEDDED_CIDRS.split(',')) : webhook.opened,
      temporal,
      config,
      close: async () => {
        await Promise.all([mongo.close(), temporal.close()]);
      },
    };
  } catch (error) {
    // An open connection would keep the process from ending.
    await mongo.close();
    throw error;
  }
}

/** Connects to the database, without a check of its indexes. */
export async function openDatabase(
  { mongoUri, dataDir }: Pick<Config, 'mongoUri' | 'dataDir'>,
  options: Pick<MongoOptions, 'patient'> = {},
): Promise<Mongo> {
  const uri = mongoUri ?? readReady(dataDir).mongodb_uri;
  try {
    return await openMongo({ uri, ...options });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const place =
      mongoUri === undefined
        ? `Nothing responds where \`npm start\` last ran on ${dataDir}; is it running?`
        : 'The database of MONGODB_URI cannot be reached.';
    throw new Error(`${place} (${(error as Error).message})`, { cause: error });
  }
}

/** Loads the client and connects when a command first needs it. Most need only the database. */
function openTemporal(config: Config): Starter {
  const { connectionOptions, namespace } = readTemporal();
  const isOurs = config.mongoUri === undefined && !config.temporalGiven;
  const address = isOurs ? readReady(config.dataDir).temporal_address : connectionOptions.address;
  const connect = async (): Promise<Temporal> => {
    const { lazyConnection, makeTemporal } = await import('../temporal/client.ts');
    const { makeEncryption } = await import('../temporal/codec.ts');
    const { makeLog } = await import('../log.ts');
    return makeTemporal({
      connection: lazyConnection({ ...connectionOptions, ...(address ? { address } : {}) }),
      namespace,
      webhookTimeoutMs: config.webhook.timeoutMs,
      encryption: makeEncryption(keysOf(config), config.encryptsPayloads),
      log: makeLog('cli', 'silent'),
    });
  };
  let opened: Promise<Temporal> | undefined;
  const open = async (): Promise<Temporal> => (opened ??= connect());
  return {
    startDelivery: async (...args) => (await open()).startDelivery(...args),
    resumeReplay: async (id) => (await open()).resumeReplay(id),
    close: async () => (await opened)?.close(),
  };
}

/** Returns the addresses of the servers that `npm start` runs. Throws `ConfigError` if none ran. */
export function readReady(dataDir: string): { mongodb_uri: string; temporal_address: string } {
  const file = path.join(dataDir, 'ready.json');
  if (!existsSync(file)) {
    throw new ConfigError(`MONGODB_URI is missing. ${NOTHING_HERE}`);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readReady>;
}

/** Returns the configured keys, or those of the data folder and the configured older ones. */
export function keysOf({ encryptionKey: current, previousKeys: previous, dataDir }: Config): Keys {
  if (current !== undefined) return { current, previous };
  const kept = readKeys(dataDir);
  if (!kept) throw new ConfigError(`ENCRYPTION_KEY is missing. ${NOTHING_HERE}`);
  return withMoreKeys(kept, previous);
}
