/** All checks of an installation, by subject. */
import type { Config } from '../config.ts';
import type { Range } from '../outbound/address.ts';
import type { Keys } from '../store/encryption.ts';
import type { Mongo } from '../store/mongo.ts';
import { addressChecks } from './addresses.ts';
import { examine, examineAll, findingOf, problem, skipAll } from './check.ts';
import type { Check, Finding } from './check.ts';
import { examineConfiguration } from './configuration.ts';
import type { Reading } from './configuration.ts';
import { judgeKeys, keyIdsOf } from './keys.ts';
import { machineChecks } from './machine.ts';
import { MONGO_CHECKS, openDatabase } from './mongodb.ts';
import { judgeReceivers } from './receivers.ts';
import {
  INNER_CHECKS,
  NAMESPACE_CHECK,
  VERSION_CHECK,
  judgeCertificate,
  reachTemporal,
} from './temporal.ts';
import type { TemporalPlace } from './temporal.ts';

export interface Installation extends Reading {
  /** Undefined if none is configured, and `npm start` has not run here. */
  readonly mongoUri: string | undefined;
  readonly keys: Keys | undefined;
  /** An error if the configuration of Temporal cannot be read. */
  readonly temporal: TemporalPlace | Error;
  /** Allowed ranges of receivers besides the public addresses. */
  readonly opened: readonly Range[];
  /** True for `npm start`. */
  readonly isEmbedded: boolean;
}

/** Runs every check, whatever the others find. Changes nothing, and never throws. */
export async function examineInstallation(installation: Installation): Promise<Finding[]> {
  const { mongoUri, keys } = installation;
  const present = { hasDatabase: mongoUri !== undefined, hasKey: keys !== undefined };
  const others = await Promise.all([
    examineMongo(installation),
    examineTemporal(installation),
    examineAll(checksOfAddresses(installation)),
    examineAll(machineChecks(folderOf(installation))),
  ]);
  return [...examineConfiguration(installation, present), ...others.flat()];
}

const MONGODB = { check: 'mongodb.connection', name: 'MongoDB: connection' };
const KEYS = { check: 'encryption.keys', name: 'Encryption keys of stored secrets' };
const RECEIVERS = { check: 'webhooks.egress', name: 'Webhooks: connections to receivers' };

async function examineMongo({ mongoUri, keys, opened }: Installation): Promise<Finding[]> {
  let mongo: Mongo | undefined;
  const connection = await examine({
    ...MONGODB,
    run: async () => {
      const found = await openDatabase(mongoUri);
      mongo = found.mongo;
      return found.result;
    },
  });
  if (!mongo) {
    const dependent = [...MONGO_CHECKS, KEYS, RECEIVERS];
    return [connection, ...skipAll(dependent, 'The database is needed for this.')];
  }
  try {
    return [connection, ...(await examineOpened(mongo, { keys, opened }))];
  } finally {
    await mongo.close().catch(() => undefined);
  }
}

async function examineOpened(
  mongo: Mongo,
  { keys, opened }: Pick<Installation, 'keys' | 'opened'>,
): Promise<Finding[]> {
  const checks = MONGO_CHECKS.map(({ judge, ...rest }): Check => {
    return { ...rest, run: async () => judge(mongo) };
  });
  const found = await examineAll([
    ...checks,
    { ...RECEIVERS, run: async () => judgeReceivers(mongo, opened) },
  ]);
  if (!keys) return [...found, ...skipAll([KEYS], 'ENCRYPTION_KEY is needed for this.')];
  return [...found, await examine({ ...KEYS, run: async () => judgeKeys(mongo, keys) })];
}

const TEMPORAL = { check: 'temporal.connection', name: 'Temporal: connection' };
const CERTIFICATE = { check: 'temporal.certificate', name: 'Temporal: client certificate' };

async function examineTemporal({ temporal, config }: Installation): Promise<Finding[]> {
  const inner = [NAMESPACE_CHECK, ...INNER_CHECKS];
  const needed = 'A connection to Temporal is needed for this.';
  if (temporal instanceof Error) {
    const found = findingOf(TEMPORAL, problem('temporal_config_unreadable', temporal.message));
    return [found, ...skipAll([CERTIFICATE, VERSION_CHECK, ...inner], needed)];
  }
  const { result, inspector } = await reachTemporal(temporal);
  const connection = findingOf(TEMPORAL, result);
  if (!inspector) {
    return [connection, ...skipAll([CERTIFICATE, VERSION_CHECK, ...inner], needed)];
  }
  const certificate = judgeCertificate(temporal.connectionOptions, new Date());
  const run = async ({ judge, ...rest }: typeof VERSION_CHECK): Promise<Finding> =>
    examine({ ...rest, run: async () => judge(inspector, config.sweepSeconds) });
  try {
    const [version, namespace] = await Promise.all([run(VERSION_CHECK), run(NAMESPACE_CHECK)]);
    const rest =
      namespace.state === 'ok'
        ? await Promise.all(INNER_CHECKS.map(run))
        : skipAll(INNER_CHECKS, 'The namespace is needed for this.');
    return [connection, findingOf(CERTIFICATE, certificate), version, namespace, ...rest];
  } finally {
    await inspector.close().catch(() => undefined);
  }
}

function checksOfAddresses({ config, faults, keys, isEmbedded }: Installation): Check[] {
  const { urls, limits } = config;
  const unless = (variable: string, url: string) => (faults.has(variable) ? undefined : url);
  return addressChecks(
    [
      { variable: 'API_URL', service: 'api', url: unless('API_URL', urls.api) },
      { variable: 'CHECKOUT_URL', service: 'checkout', url: unless('CHECKOUT_URL', urls.checkout) },
      {
        variable: 'DASHBOARD_URL',
        service: 'dashboard',
        url: unless('DASHBOARD_URL', urls.dashboard),
      },
    ],
    { keyIds: keys && keyIdsOf(keys), trustedHops: limits.trustedHops, isEmbedded },
  );
}

/** Returns the folder whose disk fills up: that of the data, or of everything else here. */
const folderOf = ({ config, isEmbedded }: { config: Config; isEmbedded: boolean }): string =>
  isEmbedded ? config.dataDir : '.';
