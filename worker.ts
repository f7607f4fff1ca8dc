/** Process 2: two Temporal workers, one for payments and one for webhook deliveries only. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { sandboxBank } from './activities/bank.ts';
import { createActivities, createDeliveryActivities } from './activities/index.ts';
import { traceActivities, traceRuns } from './activities/tracing.ts';
import { makeGate } from './outbound/gate.ts';
import type { Gate } from './outbound/gate.ts';
import { makeOutbound } from './outbound/post.ts';
import type { Outbound } from './outbound/post.ts';
import { readConfig, readTemporal, requireServices } from './config.ts';
import type { Config } from './config.ts';
import { deriveKeys } from './store/encryption.ts';
import type { Keys } from './store/encryption.ts';
import { SHUTDOWN_MARGIN_MS } from './config/grace.ts';
import { makeLog } from './log.ts';
import type { Log } from './log.ts';
import { openMetrics } from './metrics/program.ts';
import { runProcess } from './process.ts';
import { openMongo } from './store/mongo.ts';
import type { Mongo } from './store/mongo.ts';
import { makeSealer } from './store/seal.ts';
import { FAILING_ERRORS } from './temporal/runs.ts';
import { requireIndexes } from './store/survey.ts';
import { ensureSweep } from './temporal/setup.ts';
import { makeTemporal } from './temporal/client.ts';
import { makeEncryption } from './temporal/codec.ts';
import { NOT_READY, untilReplied } from './temporal/limits.ts';
import { explainUnreachable } from './temporal/tls.ts';
import type { Temporal } from './temporal/client.ts';
import { exportSpans } from './tracing/load.ts';
import { VERSION } from './version.ts';
import { PAYMENTS_QUEUE, WEBHOOKS_QUEUE } from './workflows/messages.ts';

/**
 * The interval of registering the namespace, search attributes and schedule, which may get lost.
 */
const PREPARE_EVERY_MS = 30_000;
const DELIVERIES_AT_ONCE = 100;
const SETTLES_AT_ONCE = 100;

await runProcess('worker', async (onClose) => {
  const config = readConfig();
  const { mongoUri, keys } = requireServices(config);
  const { connectionOptions, namespace } = readTemporal();
  const log = makeLog('worker', config.logLevel);
  const metrics = await openMetrics('worker', config);
  // We handle signals. The runtime would stop the workers before our own shutdown steps.
  Runtime.install({ shutdownSignals: [], logger: runtimeLogger(log), ...metrics.runtime });
  const traced = { isOn: config.exportsSpans, service: 'tollgate-worker', version: VERSION };
  onClose(await exportSpans({ ...traced, log }));
  const mongo = await openMongo({ uri: mongoUri, isTimed: metrics.isOn });
  onClose(async () => mongo.close());
  await requireIndexes(mongo);
  onClose(await metrics.serve(mongo));
  const connection = await NativeConnection.connect(connectionOptions).catch(
    async (error: unknown) => {
      throw await explainUnreachable(connectionOptions, error);
    },
  );
  onClose(async () => connection.close());
  const { webhook } = config;
  const webhookTimeoutMs = webhook.timeoutMs;
  const encryption = makeEncryption(keys, config.encryptsPayloads);
  const temporal = makeTemporal({ connection, namespace, webhookTimeoutMs, encryption, log });
  const outbound = makeOutbound({ opened: webhook.opened, timeoutMs: webhookTimeoutMs });
  onClose(async () => outbound.close());

  const { dataConverter } = encryption;
  const client = new Client({ connection, namespace, dataConverter });
  const prepare = async (): Promise<void> => {
    // Its file may have a new one.
    const { apiKey } = readTemporal().connectionOptions;
    if (apiKey !== undefined) await connection.setApiKey(apiKey);
    await temporal.prepare();
    await ensureSweep(client, { everySeconds: config.sweepSeconds });
  };
  await untilReplied(prepare, { ms: PREPARE_EVERY_MS, log });
  const timer = setInterval(() => {
    prepare().catch((error: unknown) => log.warn({ err: error }, NOT_READY));
  }, PREPARE_EVERY_MS);
  onClose(async () => clearInterval(timer));

  const gate = makeGate({
    slots: DELIVERIES_AT_ONCE,
    now: () => performance.now(),
    random: Math.random,
  });
  const services = { mongo, temporal, outbound, gate, keys, log };
  const shared = {
    connection,
    namespace,
    dataConverter,
    // The time for deliveries that are under way when the worker stops.
    shutdownGraceTime: webhookTimeoutMs + SHUTDOWN_MARGIN_MS,
  };
  const payments = await paymentsWorker(config, shared, services);
  const webhooks = await webhooksWorker(config, shared, services);
  const running = Promise.all([payments.run(), webhooks.run()]);
  onClose(async () => {
    payments.shutdown();
    webhooks.shutdown();
    await running;
  });
  if (config.ports.workerHealth) onClose(serveHealth(config.ports.workerHealth));
  log.info({ namespace, opened: webhook.opened.length }, 'worker started');
  return running;
});

type Shared = Pick<
  WorkerOptions,
  'connection' | 'namespace' | 'dataConverter' | 'shutdownGraceTime'
>;

interface Services {
  mongo: Mongo;
  temporal: Temporal;
  outbound: Outbound;
  gate: Gate;
  keys: Keys;
  log: Log;
}

/** Creates the worker for workflows and their activities. */
async function paymentsWorker(config: Config, shared: Shared, services: Services): Promise<Worker> {
  const { mongo, temporal, gate, log } = services;
  return Worker.create({
    ...shared,
    taskQueue: PAYMENTS_QUEUE,
    ...workflowCode(),
    sinks: traceRuns,
    activities: createActivities({
      mongo,
      temporal,
      bank: sandboxBank(mongo),
      gate,
      log,
      links: { checkoutUrl: config.urls.checkout },
      bankTimeoutMs: config.bankTimeoutMs,
      sweepGrace: config.sweepGrace,
      retentionDays: config.retentionDays,
    }),
    workflowFailureErrorTypes: FAILING_ERRORS,
    maxConcurrentLocalActivityExecutions: SETTLES_AT_ONCE,
  });
}

/** Returns the bundle that `npm run build` made. From source, returns what Temporal has to bundle. */
function workflowCode(): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors'> {
  const codePath = fileURLToPath(new URL('workflows/bundle.js', import.meta.url));
  const interceptors = { activity: [traceActivities] };
  if (existsSync(codePath)) return { workflowBundle: { codePath }, interceptors };
  const tracingPath = fileURLToPath(new URL('workflows/tracing.ts', import.meta.url));
  return {
    workflowsPath: fileURLToPath(new URL('workflows/index.ts', import.meta.url)),
    interceptors: { ...interceptors, workflowModules: [tracingPath] },
  };
}

/** Creates the worker for deliveries. It has its own slots, so slow receivers delay no payment. */
async function webhooksWorker(config: Config, shared: Shared, services: Services): Promise<Worker> {
  const { mongo, temporal, outbound, gate, log } = services;
  const { current, previous } = deriveKeys(services.keys, 'webhook secrets');
  return Worker.create({
    ...shared,
    taskQueue: WEBHOOKS_QUEUE,
    interceptors: { activity: [traceActivities] },
    activities: createDeliveryActivities({
      mongo,
      temporal,
      outbound,
      gate,
      sealer: makeSealer(current, previous),
      scheduleSeconds: config.webhook.scheduleSeconds,
      version: VERSION,
      log,
    }),
    maxConcurrentActivityTaskExecutions: DELIVERIES_AT_ONCE,
  });
}

/** Writes Temporal's messages to our log: warnings and errors as such, all others for debugging. */
function runtimeLogger(log: Log): DefaultLogger {
  const levels: Readonly<Record<string, 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' };
  return new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    log[levels[level] ?? 'debug'](meta, message);
  });
}

/** Returns 200 to probes while both workers run. */
function serveHealth(port: number): () => Promise<void> {
  const server = createServer((_, response) => response.end('ok\n'));
  server.listen(port, '127.0.0.1');
  return async () => {
    server.closeAllConnections();
    server.close();
  };
}
