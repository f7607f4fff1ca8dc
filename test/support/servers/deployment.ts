/** A server and a worker as an operator runs them, with their own database and namespace. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  Client,
  Connection,
  NamespaceNotFoundError,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { startGuardian } from '../../../embedded/guard.ts';
import { createEndpoint } from '../../../operations/create-endpoint.ts';
import { createMerchant as openMerchant } from '../../../operations/merchant.ts';
import { parseRanges } from '../../../outbound/address.ts';
import { deriveKey } from '../../../store/encryption.ts';
import { openMongo } from '../../../store/mongo.ts';
import type { Mongo, MongoOptions } from '../../../store/mongo.ts';
import { makeSealer } from '../../../store/seal.ts';
import { SWEEP_SCHEDULE_ID } from '../../../workflows/messages.ts';
import { makeMerchant } from '../merchant.ts';
import type { Merchant } from '../merchant.ts';
import { openMigrated } from '../mongo.ts';
import { PROJECT, makeProgram } from './programs.ts';
import type { Program } from './programs.ts';
import { privateName, testServers } from '../run.ts';
import { freePort } from '../port.ts';

const run = promisify(execFile);

/** Short intervals, so that tests need not wait for half a minute. */
const SHORT = {
  SWEEP_SECONDS: '2',
  SWEEP_PAYMENT_GRACE_SECONDS: '2',
  SWEEP_DELIVERY_GRACE_SECONDS: '4',
  WEBHOOK_SCHEDULE: '0,1,2,4',
  // Generous, so that a busy machine does not repeat a delivery.
  WEBHOOK_TIMEOUT_MS: '10000',
  PAYMENT_LIFETIME_MIN_SECONDS: '1',
  DRAIN_SECONDS: '0',
  // Rate limits have tests of their own.
  RATE_LIMIT_PER_SECOND: '10000',
  RATE_LIMIT_ANONYMOUS_PER_SECOND: '10000',
  LOG_LEVEL: 'warn',
};

export interface DeploymentOptions {
  /** A part of the names of the database and the namespace. */
  file: string;
  /** Variables of both programs and the command line. */
  env?: Readonly<Record<string, string>>;
  /** Variables of one program alone, for example the address of a proxy. */
  server?: Readonly<Record<string, string>>;
  worker?: Readonly<Record<string, string>>;
  /** The folder of an older version's programs, whose `tollgate migrate` runs first. */
  older?: string;
}

interface OwnOptions {
  /** The address to poll for health. */
  url: string;
  /** Variables of this program alone. */
  env?: Readonly<Record<string, string>>;
}

interface WantedEndpoint {
  url: string;
  events?: string;
}

export interface Deployment {
  /** A folder for files of the test. `close` deletes it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly apiUrl: string;
  readonly server: Program;
  readonly worker: Program;
  /** The programs' database, without any proxy. Its calls wait for a busy server. */
  readonly mongo: Mongo;
  /** Prepares another program with the health address `url`, without starting it. */
  program(name: string, args: readonly string[], options: OwnOptions): Program;
  /** Starts server and worker. */
  start(): Promise<void>;
  /** Creates a merchant with an endpoint for each URL. Its secret is that of the first endpoint. */
  createMerchant(...receiverUrls: readonly string[]): Promise<Merchant>;
  /** Creates an endpoint of a merchant, by default for all events. */
  createEndpoint(merchant: string, wanted: WantedEndpoint): Promise<{ id: string; secret: string }>;
  /** Kills all programs. */
  close(): Promise<void>;
}

/** Returns a MongoDB URI with its database replaced by `name`. */
export function withDatabase(uri: string, name: string): string {
  const [, hosts = '', query = ''] = /^(mongodb:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(uri) ?? [];
  return `${hosts}/${name}${query}`;
}

/** Opens a database that an older version has prepared, and that the present one has migrated. */
async function openOld(
  options: MongoOptions,
  env: Readonly<Record<string, string>>,
  older: string,
): Promise<Mongo> {
  await tollgate(env, ['migrate'], older);
  await tollgate(env, ['migrate']);
  return openMongo(options);
}

/** Prepares the programs without starting them. `close` must be called in any case. */
export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { file } = options;
  const folder = await mkdtemp(path.join(tmpdir(), `tollgate-${file}-`));
  const guardian = startGuardian({ remove: folder });
  const env = { ...(await environmentOf(file)), ...options.env };
  const programs: Program[] = [];
  const program: Deployment['program'] = (name, args, own) => {
    const logFile = path.join(folder, `${name}.log`);
    const ownEnv = { ...env, ...own.env };
    const made = makeProgram({ name, args, env: ownEnv, health: own.url, logFile, guardian });
    programs.push(made);
    return made;
  };
  const server = program('server', ['server.js'], {
    url: `${env.API_URL}/readyz`,
    ...(options.server ? { env: options.server } : {}),
  });
  const worker = program('worker', ['worker.js'], {
    url: `http://127.0.0.1:${env.WORKER_HEALTH_PORT}`,
    ...(options.worker ? { env: options.worker } : {}),
  });
  const { older } = options;
  const stored = { uri: env.MONGODB_URI, patient: true };
  const mongo = await (older === undefined ? openMigrated(stored) : openOld(stored, env, older));
  return {
    folder,
    env,
    apiUrl: env.API_URL,
    server,
    worker,
    mongo,
    program,
    start: async () => {
      await Promise.all([server.start(), worker.start()]);
    },
    createMerchant: async (...urls) => createMerchant({ mongo, env }, urls),
    createEndpoint: async (merchant, wanted) => makeEndpoint({ mongo, env }, merchant, wanted),
    close: async () => {
      await Promise.all(programs.map(async (each) => each.kill()));
      await endSweeps(env);
      await mongo.close();
      await guardian.close();
    },
  };
}

async function environmentOf(file: string) {
  const { temporalAddress, mongoUri } = testServers();
  const [api, checkout, dashboard, health] = await Promise.all(
    Array.from({ length: 4 }, async () => freePort()),
  );
  const name = privateName(file);
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: name,
    MONGODB_URI: withDatabase(mongoUri, `test_${name}`),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LISTEN_HOST: '127.0.0.1',
    API_PORT: String(api),
    CHECKOUT_PORT: String(checkout),
    DASHBOARD_PORT: String(dashboard),
    WORKER_HEALTH_PORT: String(health),
    API_URL: `http://127.0.0.1:${api}`,
    CHECKOUT_URL: `http://127.0.0.1:${checkout}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    ...SHORT,
  };
}

type Environment = Awaited<ReturnType<typeof environmentOf>>;

/** Deletes the sweep's schedule, which would run in its namespace until the end of the run. */
async function endSweeps(env: Environment): Promise<void> {
  if (env.TEMPORAL_ADDRESS !== testServers().temporalAddress) return;
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS });
  const { schedule } = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE });
  try {
    await schedule.getHandle(SWEEP_SCHEDULE_ID).delete();
  } catch (error) {
    // A file that never started the worker has no schedule, and perhaps no namespace.
    const isAbsent =
      error instanceof ScheduleNotFoundError || error instanceof NamespaceNotFoundError;
    if (!isAbsent) throw error;
  } finally {
    await connection.close();
  }
}

interface Place {
  mongo: Mongo;
  env: Environment;
}

const ACTOR = { type: 'operator', name: 'deployment' } as const;

/** Creates a merchant and its endpoints as the command line does, without a process for each. */
async function createMerchant(place: Place, urls: readonly string[]): Promise<Merchant> {
  const { mongo, env } = place;
  const fields = { name: 'Shop', email: `${randomBytes(6).toString('hex')}@example.com` };
  const made = await openMerchant({ mongo, actor: ACTOR }, { ...fields, locale: 'hy' });
  const { merchant_id: id, test_api_key: apiKey } = made;
  const secrets: string[] = [];
  for (const url of urls) secrets.push((await makeEndpoint(place, id, { url })).secret);
  return makeMerchant({ id, apiUrl: env.API_URL, apiKey, secret: secrets[0] ?? '' });
}

async function makeEndpoint(
  { mongo, env }: Place,
  merchant: string,
  { url, events = '*' }: WantedEndpoint,
) {
  const key = deriveKey(Buffer.from(env.ENCRYPTION_KEY, 'base64'), 'webhook secrets');
  const opened = parseRanges(env.WEBHOOK_ALLOW_CIDRS.split(','));
  const services = { mongo, actor: ACTOR, sealer: makeSealer(key), opened };
  return createEndpoint(services, { merchant, url, events });
}

/** Runs the command line, by default that of the present version. Returns its JSON output. */
export async function tollgate(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  programs = testServers().programs,
): Promise<Record<string, string>> {
  const command = [path.join(programs, 'cli', 'tollgate.js'), ...args, '--json'];
  const { stdout } = await run(process.execPath, command, { cwd: PROJECT, env: { ...env } });
  return JSON.parse(stdout) as Record<string, string>;
}
