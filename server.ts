/** Process 1: the API, the checkout and the dashboard, each on its own port. */
import { createApi, refuseFrom } from './api/app.ts';
import { CATALOGUE } from './operations/refusal.ts';
import { makeOpenApi } from './api/openapi.ts';
import { makeRequestLog } from './api/requestlog.ts';
import { createCheckout } from './checkout/app.ts';
import { filesOf, loadAssets } from './checkout/assets.ts';
import { listCommands } from './cli/reference.ts';
import { readConfig, readTemporal, requireServices } from './config.ts';
import type { Config } from './config.ts';
import { STRANGERS_RATE, createDashboard } from './dashboard/app.ts';
import { readClient } from './docs/clientfile.ts';
import { renderDocs } from './docs/page.tsx';
import { deriveKeys } from './store/encryption.ts';
import type { Keys } from './store/encryption.ts';
import { withIdentity } from './http/identity.ts';
import { refusePlainly } from './http/refuse.ts';
import { openPort, serve } from './http/serve.ts';
import { makeLog } from './log.ts';
import type { Log } from './log.ts';
import { openMetrics } from './metrics/program.ts';
import { lookUpHost } from './outbound/lookup.ts';
import { makeOutbound } from './outbound/post.ts';
import { runProcess, untilStopped } from './process.ts';
import { keepFiles } from './store/files.ts';
import { openMongo } from './store/mongo.ts';
import { makeSealer } from './store/seal.ts';
import { requireIndexes } from './store/survey.ts';
import { lazyConnection, makeTemporal } from './temporal/client.ts';
import { makeEncryption } from './temporal/codec.ts';
import { findTlsFault } from './temporal/tls.ts';
import { exportSpans } from './tracing/load.ts';
import { VERSION } from './version.ts';

const PREPARE_EVERY_MS = 5_000;

await runProcess('server', async (onClose) => {
  const config = readConfig();
  const { bankTimeoutMs, limits, ports, urls } = config;
  const { mongoUri, keys } = requireServices(config);
  const log = makeLog('server', config.logLevel);
  const traced = { isOn: config.exportsSpans, service: 'tollgate-server', version: VERSION };
  onClose(await exportSpans({ ...traced, log }));
  const metrics = await openMetrics('server', config);
  const mongo = await openMongo({ uri: mongoUri, isTimed: metrics.isOn });
  onClose(async () => mongo.close());
  await requireIndexes(mongo);
  onClose(await metrics.serve(mongo));
  const { temporal, namespace, prepare } = openTemporal({ config, keys, log });
  onClose(async () => temporal.close());
  const links = { checkoutUrl: urls.checkout };
  const shared = { mongo, temporal, log, links, bankTimeoutMs, limits };
  const requestLog = makeRequestLog({ mongo, log });
  onClose(requestLog.close);
  const stopping = new AbortController();
  const document = makeOpenApi({ apiUrl: urls.api, version: VERSION });
  const api = createApi({
    ...shared,
    apiUrl: urls.api,
    lifetime: { minMs: config.lifetimeMinMs },
    requestLog,
    stopping: stopping.signal,
    docs: renderDocs({ document, catalogue: CATALOGUE, commands: listCommands() }),
    readClient,
  });
  const signingKeys = deriveKeys(keys, 'bank addresses');
  // Before the first page of this version: a server of another version may have to send its files.
  await keepFiles(mongo, filesOf(loadAssets('')));
  const checkout = createCheckout({ ...shared, signingKeys });
  const { current, previous } = deriveKeys(keys, 'webhook secrets');
  const sealer = makeSealer(current, previous);
  const { temporalUiUrl: uiUrl } = config;
  const { opened, timeoutMs } = config.webhook;
  // With the lookup of few names at once: the threads of this process also hash passwords.
  const outbound = makeOutbound({ opened, timeoutMs, lookup: lookUpHost });
  onClose(async () => outbound.close());
  const dashboard = createDashboard({
    ...shared,
    ...(uiUrl && {
      temporalUiUrl: `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`,
    }),
    limits: { ...limits, anonymous: STRANGERS_RATE },
    apiUrl: urls.api,
    ownUrl: urls.dashboard.replace(/\/$/, ''),
    lifetime: { minMs: config.lifetimeMinMs },
    retentionDays: config.retentionDays,
    sealer,
    opened,
    outbound,
    signingKeys: deriveKeys(keys, 'dashboard devices'),
  });
  const pages = { refuse: refusePlainly };
  const known = { version: VERSION, key_id: sealer.keyId };
  const services = [
    { variable: 'API_PORT', service: 'api', app: api, refuse: refuseFrom(urls.api) },
    { variable: 'CHECKOUT_PORT', service: 'checkout', app: checkout, ...pages },
    { variable: 'DASHBOARD_PORT', service: 'dashboard', app: dashboard, ...pages },
  ] as const;
  const servings: ReturnType<typeof serve>[] = [];
  onClose(async () => {
    // Load balancers read it, and send no more requests.
    stopping.abort();
    await Promise.all(servings.map(async ({ drain }) => drain(config.drainMs)));
  });
  for (const { variable, service, app, refuse } of services) {
    const identity = { ...known, service, url: urls[service] };
    const serving = serve({ handle: withIdentity(app.callback(), identity), refuse });
    await openPort(serving, { variable, port: ports[service], host: config.listenHost });
    servings.push(serving);
  }
  void keepPrepared(prepare);
  log.info({ api: urls.api, checkout: urls.checkout }, 'server started');
  return untilStopped;
});

interface Opening {
  readonly config: Config;
  readonly keys: Keys;
  readonly log: Log;
}

/** Creates the calls to Temporal. `prepare` registers what Temporal lacks, and never throws. */
function openTemporal({ config, keys, log }: Opening) {
  const { connectionOptions, namespace } = readTemporal();
  const connection = lazyConnection(connectionOptions);
  const temporal = makeTemporal({
    connection,
    namespace,
    webhookTimeoutMs: config.webhook.timeoutMs,
    encryption: makeEncryption(keys, config.encryptsPayloads),
    log,
  });
  const prepare = async (): Promise<void> => {
    try {
      // Its file may have a new one.
      const { apiKey } = readTemporal().connectionOptions;
      if (apiKey !== undefined) connection.setApiKey(apiKey);
      await temporal.prepare();
    } catch (error) {
      const fault = await findTlsFault(connectionOptions);
      const reason = fault ? { reason: fault.text } : { err: error };
      log.warn(reason, 'Temporal is not ready; payments are accepted anyway');
    }
  };
  return { temporal, namespace, prepare };
}

/** Prepares Temporal again and again: it may start after us, or lose its namespace. */
async function keepPrepared(prepare: () => Promise<void>): Promise<void> {
  for (;;) {
    await prepare();
    await new Promise((resolve) => {
      setTimeout(resolve, PREPARE_EVERY_MS).unref();
    });
  }
}
