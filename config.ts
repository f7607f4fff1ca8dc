/**
 * The only reader of the environment. It checks everything at boot and reports all faults together.
 * The values are passed on as arguments.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { EnvMissingError, cleanEnv } from 'envalid';
import { repeatedKey } from './store/encryption.ts';
import type { KeyVariables, Keys } from './store/encryption.ts';
import { readSecrets } from './config/secrets.ts';
import type { WithSecrets } from './config/secrets.ts';
import { ACCESS_SPECS } from './config/access.ts';
import { SPECS } from './config/specs.ts';
import { temporalFaults } from './config/temporal.ts';
import { list } from './config/text.ts';
import { SYSTEM, unencrypted } from './config/variables.ts';
import type { UrlVariables } from './config/variables.ts';

/** The faults of the configuration, one line for each variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * The ranges for receivers on the developer's machine. Allowed only with start.ts's own servers.
 */
export const EMBEDDED_CIDRS = '127.0.0.1/32,::1/128';

/** Requests a second. Twice as many may come at once (docs/guides/limits.md). */
const MERCHANT_PER_SECOND = 100;
const ANONYMOUS_PER_SECOND = 20;
const BURST_SECONDS = 2;

const MAKE_A_KEY = 'Make one, and keep a copy: openssl rand -base64 32';

export type Config = ReturnType<typeof readConfig>;

/**
 * Returns the variables of the environment and, if it exists, a `.env` file, without empty ones.
 * Adds the secrets of files.
 */
function givenVariables(without: readonly string[] = []): WithSecrets {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const isGiven = ([name, value]: [string, unknown]) => value !== '' && !without.includes(name);
  return readSecrets(Object.fromEntries(Object.entries(process.env).filter(isGiven)));
}

/** Returns the configuration `without` some variables. Throws `ConfigError`, a line for each fault. */
export function readConfig(without: readonly string[] = []) {
  const { variables: given, faults } = givenVariables(without);
  const env = cleanEnv(given, SPECS, {
    reporter: ({ errors, env: checked }) => {
      const plain = unencrypted(checked as UrlVariables);
      const repeated = repeatedKey(checked as KeyVariables);
      report({ errors: { ...errors, ...repeated, ...plain, ...faults } });
    },
  });
  return {
    logLevel: env.LOG_LEVEL,
    ports: {
      api: env.API_PORT,
      checkout: env.CHECKOUT_PORT,
      dashboard: env.DASHBOARD_PORT,
      demo: env.DEMO_PORT,
      temporalUi: env.TEMPORAL_UI_PORT,
      workerHealth: env.WORKER_HEALTH_PORT,
      metrics: env.METRICS_PORT,
    },
    listenHost: env.LISTEN_HOST,
    urls: {
      api: env.API_URL ?? `http://localhost:${env.API_PORT}`,
      checkout: env.CHECKOUT_URL ?? `http://localhost:${env.CHECKOUT_PORT}`,
      dashboard: env.DASHBOARD_URL ?? `http://localhost:${env.DASHBOARD_PORT}`,
      demo: `http://localhost:${env.DEMO_PORT}`,
    },
    temporalUiUrl: env.TEMPORAL_UI_URL,
    dataDir: path.resolve(env.DATA_DIR),
    cacheDir: path.resolve(env.CACHE_DIR),
    encryptionKey: env.ENCRYPTION_KEY,
    previousKeys: env.ENCRYPTION_KEY_PREVIOUS,
    mongoUri: env.MONGODB_URI,
    mongodPath: env.MONGOD_PATH,
    temporalCliPath: env.TEMPORAL_CLI_PATH,
    /** True if a Temporal server is configured. Otherwise start.ts starts its own. */
    temporalGiven: given['TEMPORAL_ADDRESS'] !== undefined,
    encryptsPayloads: env.TEMPORAL_ENCRYPT_PAYLOADS,
    webhook: {
      scheduleSeconds: env.WEBHOOK_SCHEDULE,
      opened: env.WEBHOOK_ALLOW_CIDRS ?? [],
      openedByHand: env.WEBHOOK_ALLOW_CIDRS !== undefined,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
    },
    lifetimeMinMs: env.PAYMENT_LIFETIME_MIN_SECONDS * 1000,
    bankTimeoutMs: env.BANK_TIMEOUT_SECONDS * 1000,
    sweepSeconds: env.SWEEP_SECONDS,
    sweepGrace: sweepGraceOf(env),
    retentionDays: env.RETENTION_DAYS,
    drainMs: env.DRAIN_SECONDS * 1000,
    limits: {
      merchant: rateOf(env.RATE_LIMIT_PER_SECOND ?? MERCHANT_PER_SECOND, env.RATE_LIMIT_BURST),
      anonymous: rateOf(
        env.RATE_LIMIT_ANONYMOUS_PER_SECOND ?? ANONYMOUS_PER_SECOND,
        env.RATE_LIMIT_ANONYMOUS_BURST,
      ),
      trustedHops: env.TRUSTED_PROXY_HOPS,
    },
    limitsByHand: byHand(env),
    /** True if spans are exported. OpenTelemetry's SDK reads its other variables itself. */
    exportsSpans: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && !env.OTEL_SDK_DISABLED,
    demo: env.DEMO,
    /** The operator's name in the audit, in place of the operating system's user. */
    actor: env.TOLLGATE_ACTOR,
  };
}

type GraceVariables = Record<
  'SWEEP_PAYMENT_GRACE_SECONDS' | 'SWEEP_DELIVERY_GRACE_SECONDS',
  number
>;

function sweepGraceOf(env: GraceVariables) {
  const paymentMs = env.SWEEP_PAYMENT_GRACE_SECONDS * 1000;
  const deliveryMs = env.SWEEP_DELIVERY_GRACE_SECONDS * 1000;
  return { paymentMs, refundMs: paymentMs, deliveryMs };
}

type LimitVariables = Partial<
  Record<`RATE_LIMIT_${'' | 'ANONYMOUS_'}${'PER_SECOND' | 'BURST'}`, number | undefined>
>;

/** Returns which limits are configured. */
function byHand(env: LimitVariables) {
  return {
    merchant: (env.RATE_LIMIT_PER_SECOND ?? env.RATE_LIMIT_BURST) !== undefined,
    anonymous:
      (env.RATE_LIMIT_ANONYMOUS_PER_SECOND ?? env.RATE_LIMIT_ANONYMOUS_BURST) !== undefined,
  };
}

function rateOf(perSecond: number, burst: number | undefined) {
  return { perSecond, burst: burst ?? perSecond * BURST_SECONDS };
}

/** Returns high limits for start.ts where none are configured, because its machine has one user. */
export function embeddedLimits({ limitsByHand }: Config): Record<string, string> {
  return {
    ...(limitsByHand.merchant ? {} : { RATE_LIMIT_PER_SECOND: '2000', RATE_LIMIT_BURST: '4000' }),
    ...(limitsByHand.anonymous
      ? {}
      : { RATE_LIMIT_ANONYMOUS_PER_SECOND: '1000', RATE_LIMIT_ANONYMOUS_BURST: '2000' }),
  };
}

/** Returns what a merchant's developer needs to call the API. Throws `ConfigError`. */
export function readAccess() {
  const { variables, faults } = givenVariables();
  // In a merchant's project, other variables are not ours, even with the same names.
  const own = Object.entries(faults).filter(([name]) => name.startsWith('TOLLGATE_'));
  const env = cleanEnv(variables, ACCESS_SPECS, {
    reporter: ({ errors }) => report({ errors: { ...errors, ...Object.fromEntries(own) } }),
  });
  return {
    apiUrl: env.TOLLGATE_API_URL,
    apiKey: env.TOLLGATE_API_KEY,
    /** The secrets in use: several, separated by commas, while one is being replaced. */
    webhookSecrets: list(env.TOLLGATE_WEBHOOK_SECRET ?? ''),
    stateFolder: path.join(stateHome(variables['XDG_STATE_HOME']), 'tollgate'),
  };
}

/** Returns the user's folder for state. The XDG specification ignores a relative one. */
function stateHome(given = ''): string {
  return path.isAbsolute(given) ? given : path.join(homedir(), '.local', 'state');
}

/**
 * Returns Temporal's address, TLS, key and namespace, read as Temporal's own tools read them. Reads
 * the files again at each call. Throws `ConfigError`.
 */
export function readTemporal() {
  const { variables, faults } = givenVariables();
  report({ errors: { ...temporalFaults(variables), ...faults } });
  const given = Object.entries(variables).filter((entry): entry is [string, string] => !!entry[1]);
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({
      overrideEnvVars: Object.fromEntries(given),
    });
    return { connectionOptions, namespace: namespace ?? 'default' };
  } catch (error) {
    // The variables are checked, so a profile file is at fault.
    throw new ConfigError(`TEMPORAL_CONFIG_FILE: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns what server and worker require. Throws `ConfigError` with everything that is missing. */
export function requireServices(config: Config): { mongoUri: string; keys: Keys } {
  const { mongoUri, encryptionKey, previousKeys: previous } = config;
  if (mongoUri !== undefined && encryptionKey !== undefined) {
    return { mongoUri, keys: { current: encryptionKey, previous } };
  }
  const missing = [
    mongoUri === undefined ? 'MONGODB_URI is missing' : '',
    encryptionKey === undefined ? `ENCRYPTION_KEY is missing. ${MAKE_A_KEY}` : '',
  ];
  throw new ConfigError(missing.filter((line) => line !== '').join('\n'));
}

const isRead = (name: string): boolean =>
  Object.hasOwn(SPECS, name) || /^(TEMPORAL|OTEL)_/.test(name);

/** Returns the whole environment. The caller selects the variables to pass on. */
export const wholeEnvironment = (): Record<string, string> => pick(() => true);

/**
 * Returns an environment without our secrets, for a program that does not read our configuration.
 */
export const bareEnvironment = (): Record<string, string> => pick((name) => SYSTEM.test(name));

/** Returns the variables that a server or worker reads, together with those of `set`. */
export function childEnvironment(set: Readonly<Record<string, string>>): Record<string, string> {
  return { ...pick((name) => isRead(name) || SYSTEM.test(name)), ...set };
}

function pick(isWanted: (name: string) => boolean): Record<string, string> {
  const ours = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isWanted(entry[0]),
  );
  return Object.fromEntries(ours);
}

function report({ errors }: { errors: Partial<Record<string, Error>> }): void {
  const lines = Object.entries(errors).map(([name, error]) =>
    error instanceof EnvMissingError ? `${name} is missing` : `${name}: ${error?.message ?? ''}`,
  );
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
}
