/** Process 2: two Temporal workers, one for payments and one for webhook deliveries only. */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { sandboxBank } from './activities/bank.ts';
import { createActivities, createDeliveryActivities } from './activities/index.ts';
import { makeOutbound } from './activities/outbound.ts';
import { deriveKey, readConfig, readTemporal, requireServices } from './config.ts';
import { makeLog } from './log.ts';
import { runProcess } from './process.ts';
import { openMongo } from './store/mongo.ts';
import { makeSealer } from './store/seal.ts';
import { ensureSweep } from './temporal-setup.ts';
import { makeTemporal } from './temporal.ts';
import { VERSION } from './version.ts';
import { PAYMENTS_QUEUE, WEBHOOKS_QUEUE } from './workflows/messages.ts';

/** Namespace, search attributes and schedule are made sure of so often: they may get lost. */
const PREPARE_EVERY_MS = 30_000;
/** A delivery that is under way when the worker stops is given the time to end. */
const SHUTDOWN_MARGIN_MS = 5_000;
const DELIVERIES_AT_ONCE = 100;
const SETTLES_AT_ONCE = 100;

await runProcess('worker', async (onClose) => {
  const config = readConfig();
  const { mongoUri, encryptionKey } = requireServices(config);
  const { connectionOptions, namespace } = readTemporal();
  const log = makeLog('worker', config.logLevel);
  // Signals are ours to handle: the runtime would stop the workers before we know.
  Runtime.install({ shutdownSignals: [] });
  const mongo = await openMongo({ uri: mongoUri });
  onClose(async () => mongo.close());
  const connection = await NativeConnection.connect(connectionOptions);
  onClose(async () => connection.close());
  const { webhook } = config;
  const temporal = makeTemporal({
    connection,
    namespace,
    webhookTimeoutMs: webhook.timeoutMs,
    log,
  });
  const client = new Client({ connection, namespace });
  const prepare = async (): Promise<void> => {
    await temporal.prepare();
    await ensureSweep(client, { everySeconds: config.sweepSeconds });
  };
  await prepare();
  const outbound = makeOutbound({ opened: webhook.opened, timeoutMs: webhook.timeoutMs });
  onClose(async () => outbound.close());

  const shared = {
    connection,
    namespace,
    shutdownGraceTime: webhook.timeoutMs + SHUTDOWN_MARGIN_MS,
  } satisfies Partial<WorkerOptions>;
  const payments = await Worker.create({
    ...shared,
    taskQueue: PAYMENTS_QUEUE,
    ...(config.workflowBundle
      ? { workflowBundle: { codePath: config.workflowBundle } }
      : { workflowsPath: fileURLToPath(new URL('workflows/index.ts', import.meta.url)) }),
    activities: createActivities({
      mongo,
      temporal,
      bank: sandboxBank(mongo),
      links: { checkoutUrl: config.urls.checkout },
      bankTimeoutMs: config.bankTimeoutMs,
    }),
    maxConcurrentLocalActivityExecutions: SETTLES_AT_ONCE,
  });
  const webhooks = await Worker.create({
    ...shared,
    taskQueue: WEBHOOKS_QUEUE,
    activities: createDeliveryActivities({
      mongo,
      temporal,
      outbound,
      sealer: makeSealer(deriveKey(encryptionKey, 'webhook secrets')),
      scheduleSeconds: webhook.scheduleSeconds,
      version: VERSION,
    }),
    maxConcurrentActivityTaskExecutions: DELIVERIES_AT_ONCE,
  });

  const timer = setInterval(() => {
    prepare().catch((error: unknown) => log.warn({ err: error }, 'Temporal could not be prepared'));
  }, PREPARE_EVERY_MS);
  onClose(async () => clearInterval(timer));
  const running = Promise.all([payments.run(), webhooks.run()]);
  onClose(async () => {
    payments.shutdown();
    webhooks.shutdown();
    await running;
  });
  if (config.ports.workerHealth) onClose(serveHealth(config.ports.workerHealth));
  log.info({ namespace, opened: webhook.opened.length }, 'the worker is running');
  return running;
});

/** Answers 200 while both workers run; for whoever supervises this process. */
function serveHealth(port: number): () => Promise<void> {
  const server = createServer((_, response) => response.end('ok\n'));
  server.listen(port, '127.0.0.1');
  return async () => {
    server.closeAllConnections();
    server.close();
  };
}
