/** Both workers inside the test process, with their own database, ids and queues. */
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { parseRanges } from '../../outbound/address.ts';
import { sandboxBank } from '../../activities/bank.ts';
import type { Bank } from '../../activities/bank.ts';
import { createActivities, createDeliveryActivities } from '../../activities/index.ts';
import { traceActivities, traceRuns } from '../../activities/tracing.ts';
import { makeGate } from '../../outbound/gate.ts';
import type { Gate } from '../../outbound/gate.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound } from '../../outbound/post.ts';
import type { SweepGrace } from '../../domain/sweep.ts';
import { makeLog } from '../../log.ts';
import type { Log } from '../../log.ts';
import type { Mongo } from '../../store/mongo.ts';
import { lazyConnection, makeTemporal } from '../../temporal/client.ts';
import type { Temporal } from '../../temporal/client.ts';
import type { Encryption } from '../../temporal/codec.ts';
import { FAILING_ERRORS } from '../../temporal/runs.ts';
import { PAYMENTS_QUEUE, WEBHOOKS_QUEUE } from '../../workflows/messages.ts';
import { BANK_TIMEOUT_MS } from './bank.ts';
import { sealer } from './rows/endpoint.ts';
import { openDatabase } from './mongo.ts';
import { retryUnavailable } from './retry.ts';
import { privateName, testServers } from './run.ts';
import { until } from './until.ts';

export const NAMESPACE = 'default';
export const LINKS = { checkoutUrl: 'https://pay.example' };
/** Generous: receivers respond at once, but a busy machine may read the response late. */
const WEBHOOK_TIMEOUT_MS = 15_000;
/** Concurrent deliveries of one worker, as in worker.ts. */
const SLOTS = 100;
/** A short schedule of deliveries: three attempts within seconds. */
const SHORT_SCHEDULE_SECONDS = [0, 1, 2];

/** Turns off Temporal's own log. Call it before the first use of Temporal in a file. */
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'off' } },
  });
}
let installed = false;

export interface Ground {
  /** The prefix of every workflow and activity id. */
  readonly idPrefix: string;
  readonly queueSuffix: string;
  readonly mongo: Mongo;
  /** The client of the server and its pages. */
  readonly temporal: Temporal;
  readonly client: Client;
  /** Restarts the worker of the payments queue with a bundle, by default the current one. */
  deploy(workflowBundle?: WorkflowBundleOption): Promise<void>;
  /** Restarts both workers, with the encryption that the options have by now. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface GroundOptions {
  /** Replaces the URI of the run's database, for example with that of a proxy. */
  mongoUri?: string;
  bank?: Bank;
  bankTimeoutMs?: number;
  scheduleSeconds?: readonly number[];
  sweepGrace?: SweepGrace;
  /** Is called with the name of every command sent to MongoDB. */
  monitor?: (command: string) => void;
  /** How clients and workers encrypt payloads. By default they do not. */
  encryption?: Encryption;
  /** Intercept every call that the client side sends to Temporal. */
  interceptors?: NonNullable<ConnectionOptions['interceptors']>;
}

/** Starts both workers on the run's Temporal. `close` stops them and everything they use. */
export async function startWorkers(file: string, options: GroundOptions = {}): Promise<Ground> {
  quietRuntime();
  const { temporalAddress: address } = testServers();
  const name = privateName(file);
  const names = { idPrefix: `${name}-`, queueSuffix: `-${name}` };
  const log = makeLog('test', 'silent');
  const { encryption } = options;
  const common = {
    ...names,
    namespace: NAMESPACE,
    webhookTimeoutMs: WEBHOOK_TIMEOUT_MS,
    log,
    ...(encryption ? { encryption } : {}),
  };
  const { mongoUri, monitor } = options;
  const mongo = await openDatabase(file, {
    ...(mongoUri ? { uri: mongoUri } : {}),
    ...(monitor ? { monitor } : {}),
  });
  const native = await NativeConnection.connect({ address });
  const opened = parseRanges(['127.0.0.1/32']);
  const outbound = makeOutbound({ opened, timeoutMs: WEBHOOK_TIMEOUT_MS });
  const temporal = makeTemporal({ ...common, connection: native });
  await temporal.prepare();
  const gate = makeGate({ slots: SLOTS, now: Date.now, random: Math.random });
  const services = { queueSuffix: names.queueSuffix, mongo, native, outbound, temporal, gate, log };
  let webhooks = run(await createWebhooksWorker(options, services));
  let payments = run(await createPaymentsWorker(options, services));
  const { interceptors } = options;
  const connection = lazyConnection({ address, ...(interceptors ? { interceptors } : {}) });
  const client = new Client({ connection: native, namespace: NAMESPACE });
  return {
    ...names,
    mongo,
    temporal: patient(makeTemporal({ ...common, connection }), client, names.idPrefix),
    client,
    deploy: async (workflowBundle) => {
      await payments.stop();
      payments = run(await createPaymentsWorker(options, services, workflowBundle));
    },
    restart: async () => {
      await Promise.all([payments.stop(), webhooks.stop()]);
      payments = run(await createPaymentsWorker(options, services));
      webhooks = run(await createWebhooksWorker(options, services));
    },
    close: async () => {
      await Promise.all([payments.stop(), webhooks.stop()]);
      await connection.close();
      await outbound.close();
      await native.close();
      await mongo.close();
    },
  };
}

/** Returns the client. It repeats what a busy machine delays: an update, as API clients do, or a start. */
function patient(temporal: Temporal, client: Client, idPrefix: string): Temporal {
  /** Starts a workflow until it exists, because a start gives up after a second. */
  const untilStarted = async (id: string, start: () => Promise<void>): Promise<void> => {
    await until(async () => {
      await start();
      return exists(client, idPrefix + id);
    }, Boolean);
  };
  return {
    ...temporal,
    startPayment: async (payment) =>
      untilStarted(payment._id, async () => temporal.startPayment(payment)),
    startRefund: async (refund) =>
      untilStarted(refund._id, async () => temporal.startRefund(refund)),
    askPayment: async (...args) => retryUnavailable(async () => temporal.askPayment(...args)),
  };
}

async function exists({ workflow }: Client, workflowId: string): Promise<boolean> {
  try {
    await workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

interface Services {
  queueSuffix: string;
  mongo: Mongo;
  native: NativeConnection;
  outbound: Outbound;
  temporal: Temporal;
  gate: Gate;
  log: Log;
}

function run(worker: Worker): { stop(): Promise<void> } {
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
    },
  };
}

async function createPaymentsWorker(
  options: GroundOptions,
  services: Services,
  workflowBundle: WorkflowBundleOption = testServers().workflowBundle,
): Promise<Worker> {
  const { mongo, native, temporal, gate, log, queueSuffix } = services;
  const { bank = sandboxBank(mongo), bankTimeoutMs = BANK_TIMEOUT_MS, sweepGrace } = options;
  const deps = { mongo, temporal, bank, gate, log, links: LINKS, bankTimeoutMs };
  return Worker.create({
    connection: native,
    namespace: NAMESPACE,
    taskQueue: PAYMENTS_QUEUE + queueSuffix,
    workflowBundle,
    ...converterOf(options),
    sinks: traceRuns,
    interceptors: { activity: [traceActivities] },
    workflowFailureErrorTypes: FAILING_ERRORS,
    activities: createActivities({ ...deps, ...(sweepGrace ? { sweepGrace } : {}) }),
  });
}

const converterOf = ({ encryption }: GroundOptions) =>
  encryption ? { dataConverter: encryption.dataConverter } : {};

async function createWebhooksWorker(options: GroundOptions, services: Services): Promise<Worker> {
  const { native, queueSuffix, ...deps } = services;
  const { scheduleSeconds = SHORT_SCHEDULE_SECONDS } = options;
  return Worker.create({
    connection: native,
    namespace: NAMESPACE,
    taskQueue: WEBHOOKS_QUEUE + queueSuffix,
    ...converterOf(options),
    interceptors: { activity: [traceActivities] },
    activities: createDeliveryActivities({ ...deps, sealer, scheduleSeconds, version: 'test' }),
  });
}
