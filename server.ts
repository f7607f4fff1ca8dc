/** Process 1: the API, the checkout and the dashboard, each on an address of its own. */
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { attachLimits, createApi, listenOptions } from './api/app.ts';
import { CATALOGUE } from './api/errors.ts';
import { makeOpenApi } from './api/openapi.ts';
import { createCheckout } from './checkout/app.ts';
import { readConfig, readTemporal, requireServices } from './config.ts';
import { createDashboard } from './dashboard/app.ts';
import { renderDocs } from './docs/page.tsx';
import { deriveKeys } from './encryption.ts';
import { makeLog } from './log.ts';
import { runProcess, untilStopped } from './process.ts';
import { openMongo } from './store/mongo.ts';
import { requireIndexes } from './store/survey.ts';
import { lazyConnection, makeTemporal } from './temporal.ts';
import { VERSION } from './version.ts';

/** Requests under way when the server is told to stop are given so long to end. */
const DRAIN_MS = 6_000;
/** Temporal may come later than we do, and may lose its namespace: it is prepared so often. */
const PREPARE_EVERY_MS = 5_000;

await runProcess('server', async (onClose) => {
  const config = readConfig();
  const { mongoUri, keys } = requireServices(config);
  const { connectionOptions, namespace } = readTemporal();
  const log = makeLog('server', config.logLevel);
  const mongo = await openMongo({ uri: mongoUri });
  onClose(async () => mongo.close());
  await requireIndexes(mongo);
  const connection = lazyConnection(connectionOptions);
  const timeoutMs = config.webhook.timeoutMs;
  const temporal = makeTemporal({ connection, namespace, webhookTimeoutMs: timeoutMs, log });
  onClose(async () => temporal.close());
  const links = { checkoutUrl: config.urls.checkout };
  const { bankTimeoutMs } = config;
  const published = { apiUrl: config.urls.api, version: VERSION };
  const api = createApi({
    mongo,
    temporal,
    log,
    links,
    apiUrl: config.urls.api,
    bankTimeoutMs,
    lifetime: { minMs: config.lifetimeMinMs },
    limits: config.limits,
    docsPage: renderDocs({ document: makeOpenApi(published), catalogue: CATALOGUE }),
  });
  const signingKeys = deriveKeys(keys, 'bank addresses');
  const { trustedHops } = config.limits;
  const common = { mongo, temporal, log, links, bankTimeoutMs };
  const checkout = createCheckout({ ...common, signingKeys, trustedHops });

  const apps = [
    { variable: 'API_PORT', port: config.ports.api, handler: api.callback() },
    { variable: 'CHECKOUT_PORT', port: config.ports.checkout, handler: checkout.callback() },
    {
      variable: 'DASHBOARD_PORT',
      port: config.ports.dashboard,
      handler: createDashboard().callback(),
    },
  ];
  for (const app of apps) {
    const isApi = app.variable === 'API_PORT';
    // The API answers a missing Host itself, in its own form; the pages leave that to Node.
    const limits = { ...listenOptions, requireHostHeader: !isApi };
    const server = await listen({ ...app, limits, host: config.listenHost });
    onClose(async () => drain(server));
    if (isApi) attachLimits(server, config.urls.api);
  }
  void keepPrepared();
  log.info({ api: config.urls.api, checkout: config.urls.checkout }, 'the server is listening');
  return untilStopped;

  async function keepPrepared(): Promise<void> {
    for (;;) {
      await temporal.prepare().catch((error: unknown) => {
        log.warn({ err: error }, 'Temporal is not ready; payments are accepted all the same');
      });
      await new Promise((resolve) => {
        setTimeout(resolve, PREPARE_EVERY_MS).unref();
      });
    }
  }
});

interface Listening {
  variable: string;
  port: number;
  host: string | undefined;
  limits: ServerOptions;
  handler: RequestListener;
}

/** Rejects with an error that names the variable when the port is taken. */
async function listen({ variable, port, host, limits, handler }: Listening): Promise<Server> {
  const server = createServer(limits, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`${variable}: cannot listen on port ${port}`, { cause: error }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return server;
}

async function drain(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  server.closeIdleConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  clearTimeout(timer);
}
