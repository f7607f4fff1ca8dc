/** `npm start`: Temporal, MongoDB, server, worker and the demo shop on one machine. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRanges } from './outbound/address.ts';
import { ensureDemo } from './cli/demo.ts';
import type { Demo } from './cli/demo.ts';
import { prepareDatabase } from './cli/migrate.ts';
import { operatorOf } from './cli/operator.ts';
import { inviteFirstMerchant } from './cli/users.ts';
import {
  EMBEDDED_CIDRS,
  bareEnvironment,
  childEnvironment,
  embeddedLimits,
  readConfig,
  readTemporal,
  wholeEnvironment,
} from './config.ts';
import type { Config } from './config.ts';
import { startGuardian } from './embedded/guard.ts';
import type { Guardian } from './embedded/guard.ts';
import { keepKeys } from './embedded/keys.ts';
import { isPortFree, keepPorts, requirePort } from './embedded/ports.ts';
import { keepPrivate } from './embedded/private.ts';
import { makeReadyFile } from './embedded/ready.ts';
import type { ReadyFile } from './embedded/ready.ts';
import { startServers } from './embedded/servers.ts';
import type { Servers } from './embedded/servers.ts';
import { supervise } from './embedded/supervise.ts';
import type { Supervised } from './embedded/supervise.ts';
import { waitUntil } from './embedded/wait.ts';
import { deriveKeys, withMoreKeys } from './store/encryption.ts';
import type { Keys } from './store/encryption.ts';
import { runProcess, untilStopped } from './process.ts';
import { openMongo } from './store/mongo.ts';
import { makeSealer } from './store/seal.ts';

/** The time for a program to stop: longer than a delivery, as the worker's shutdown grace. */
const STOP_GRACE_MS = 22_000;
/** The worker's threads, as in the script that starts it alone (package.json). */
const LOOKUP_THREADS = '64';
/** The longest time for which the programs of a killed start keep their ports. */
const LEFTOVER_MS = 10_000;
const root = path.dirname(fileURLToPath(import.meta.url));
const print = (line: string): void => console.log(line);

await runProcess('tollgate', async (onClose) => {
  const config = readConfig();
  const { ports, dataDir } = config;
  await requirePorts(config);
  await keepPrivate(dataDir);
  const guardian = startGuardian();
  onClose(async () => guardian.close());
  const ready = makeReadyFile(path.join(dataDir, 'ready.json'));

  const servers = await startEmbedded(config, ready, guardian);
  onClose(async () => servers.stop());
  const keys = await keysOf(config);
  if (keys.previous.length > 0) {
    print('Older encryption keys are kept: see `npx tollgate encryption-key reseal --check`.');
  }
  const portsFile = path.join(dataDir, 'ports.json');
  const workerPort = ports.workerHealth ?? (await keepPorts(portsFile, ['worker'])).worker;
  const uiUrl = config.temporalUiUrl ?? servers.temporal.uiUrl;
  const env = childEnvironment({
    MONGODB_URI: servers.mongo.uri,
    TEMPORAL_ADDRESS: servers.temporal.address,
    ENCRYPTION_KEY: keys.current.toString('base64'),
    ENCRYPTION_KEY_PREVIOUS: keys.previous.map((key) => key.toString('base64')).join(','),
    WORKER_HEALTH_PORT: String(workerPort),
    // Each look-up of a receiver's name takes a thread, which a silent name server blocks.
    UV_THREADPOOL_SIZE: LOOKUP_THREADS,
    DRAIN_SECONDS: '0', // there is no load balancer
    LISTEN_HOST: config.listenHost ?? '127.0.0.1',
    METRICS_PORT: '', // Both programs would listen there.
    ...(uiUrl === undefined ? {} : { TEMPORAL_UI_URL: uiUrl }),
    ...(config.webhook.openedByHand ? {} : { WEBHOOK_ALLOW_CIDRS: EMBEDDED_CIDRS }),
    ...embeddedLimits(config),
  });
  const run = async (program: Program): Promise<void> => {
    const child = await runProgram(program, { dataDir, guardian, ready });
    onClose(async () => child.stop(STOP_GRACE_MS));
  };
  await prepareDatabase(servers.mongo.uri, print);
  print('Starting worker and server');
  await Promise.all([
    run({ name: 'worker', args: ['worker.ts'], env, health: `http://127.0.0.1:${workerPort}` }),
    run({
      name: 'server',
      args: ['server.ts'],
      env,
      health: `http://127.0.0.1:${ports.api}/readyz`,
    }),
  ]);
  const { demo, invitation } = await makeMerchants(config, servers, keys);
  if (demo) {
    const args = ['demo/server.ts', '--config', demo.configFile];
    const health = `http://127.0.0.1:${ports.demo}/healthz`;
    // The shop is a merchant's program. Its file has its key and webhook secret, and none of ours.
    await run({ name: 'demo', args, env: bareEnvironment(), health });
  }
  onClose(async () => ready.remove());
  ready.publish(addressesOf(config, servers));
  for (const line of banner(config, servers, { demo, invitation })) print(line);
  return untilStopped;
});

/** Requires free ports. After a killed start, waits until its programs have been stopped. */
async function requirePorts({ ports, demo, dataDir }: Config): Promise<void> {
  const leftoverMs = existsSync(path.join(dataDir, 'running.json')) ? LEFTOVER_MS : 0;
  const wanted: [number, string][] = [
    [ports.api, 'API_PORT'],
    [ports.checkout, 'CHECKOUT_PORT'],
    [ports.dashboard, 'DASHBOARD_PORT'],
    ...(demo ? [[ports.demo, 'DEMO_PORT'] satisfies [number, string]] : []),
  ];
  for (const [port, variable] of wanted) {
    await waitUntil(async () => isPortFree(port), leftoverMs);
    await requirePort(port, variable);
  }
}

async function startEmbedded(
  config: Config,
  ready: ReadyFile,
  guardian: Guardian,
): Promise<Servers> {
  const env = wholeEnvironment();
  const given = config.temporalGiven ? readTemporal().connectionOptions.address : undefined;
  return startServers({
    dataDir: config.dataDir,
    cacheDir: config.cacheDir,
    temporal: {
      address: given,
      cliPath: config.temporalCliPath,
      uiPort: config.ports.temporalUi,
      uiHosts: Object.values(config.urls).map((url) => new URL(url).hostname),
    },
    mongo: { uri: config.mongoUri, mongodPath: config.mongodPath },
    path: env['PATH'] ?? '',
    env,
    guardian,
    log: print,
    // Only when the folder is claimed, because a refused second start must not remove the file.
    onClaimed: () => ready.remove(),
    onPids: (pids) => ready.note({ ...pids }),
  });
}

/** One of our own programs, and the address of its health check. */
interface Program {
  name: 'worker' | 'server' | 'demo';
  args: readonly string[];
  env: Record<string, string>;
  health: string;
}

async function runProgram(
  { name, args, env, health }: Program,
  { dataDir, guardian, ready }: { dataDir: string; guardian: Guardian; ready: ReadyFile },
): Promise<Supervised> {
  return supervise({
    name,
    command: process.execPath,
    args: ['--import', 'tsx', ...args],
    cwd: root,
    env,
    guardian,
    ready: async () => {
      const response = await fetch(health);
      // Without Temporal the server accepts requests, but the banner promises more.
      return response.ok && !(await response.text()).includes('degraded');
    },
    logFile: path.join(dataDir, 'logs', `${name}.log`),
    onPid: (pid) => ready.note({ [name]: pid }),
    log: print,
  });
}

/** Returns the configured keys. Without a current one, adds those of the data folder. */
async function keysOf({ encryptionKey: current, previousKeys: previous, dataDir }: Config) {
  if (current !== undefined) return { current, previous };
  return withMoreKeys(keepKeys(dataDir), previous);
}

/** Creates the demo merchant, and a link for the first merchant besides it. */
async function makeMerchants(config: Config, servers: Servers, keys: Keys) {
  const { dataDir, urls, ports, webhook } = config;
  const mongo = await openMongo({ uri: servers.mongo.uri });
  const { current, previous } = deriveKeys(keys, 'webhook secrets');
  const sealer = makeSealer(current, previous);
  const opened = webhook.openedByHand ? webhook.opened : parseRanges(EMBEDDED_CIDRS.split(','));
  const options = { dataDir, shopUrl: urls.demo, apiUrl: urls.api, port: ports.demo };
  try {
    const services = { mongo, actor: operatorOf(config.actor), sealer, opened, config };
    const demo = config.demo ? await ensureDemo(services, options) : null;
    return { demo, invitation: await inviteFirstMerchant(services) };
  } finally {
    await mongo.close();
  }
}

function addressesOf({ urls, demo }: Config, servers: Servers): Record<string, unknown> {
  return {
    api_url: urls.api,
    checkout_url: urls.checkout,
    dashboard_url: urls.dashboard,
    ...(demo ? { demo_url: urls.demo } : {}),
    temporal_ui_url: servers.temporal.uiUrl ?? null,
    temporal_address: servers.temporal.address,
    mongodb_uri: servers.mongo.uri,
  };
}

function banner(
  config: Config,
  servers: Servers,
  { demo, invitation }: { demo: Demo | null; invitation: string | null },
): string[] {
  const { urls } = config;
  return [
    '',
    '  Tollgate is running. Test mode: no money moves.',
    '',
    ...(demo ? [`  Demo shop     ${urls.demo}`] : []),
    `  API           ${urls.api}`,
    `  Checkout      ${urls.checkout}`,
    `  Dashboard     ${urls.dashboard}`,
    `  Temporal UI   ${servers.temporal.uiUrl ?? servers.temporal.address}`,
    ...(config.webhook.openedByHand ? [] : [`  Webhooks may go to ${EMBEDDED_CIDRS} too.`]),
    ...(demo ? ['', ...demoLines(demo)] : []),
    ...(invitation === null
      ? []
      : ['', '  Create your own merchant with this link. It works once:', `  ${invitation}`]),
    '',
    '  Ctrl-C stops everything; the data stays.',
    '',
  ];
}

function demoLines({ email, fresh }: Demo): string[] {
  const login = `  Demo login    ${email}`;
  if (!fresh) return [login, `  New password  npx tollgate user reset --email ${email}`];
  return [
    login,
    `  Password      ${fresh.password}   (shown once)`,
    `  Test API key  ${fresh.apiKey}   (shown once)`,
  ];
}
