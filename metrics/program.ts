/** The metrics of a server or a worker: all that its `/metrics` has. */
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Mongo } from '../store/mongo.ts';
import { VERSION } from '../version.ts';
import { makeBacklogGauges, watchBacklog } from './backlog.ts';
import { countCalls, countSweeps } from './dependencies.ts';
import { countPayments } from './payments.ts';
import { countRequests } from './requests.ts';
import { findAddress, readSdk, telemetryAt } from './sdk.ts';
import { serveMetrics } from './serve.ts';
import { countWebhooks } from './webhooks.ts';

export interface ProgramMetrics {
  /** False if no port is configured. Then nothing is counted, and nothing listens. */
  readonly isOn: boolean;
  /** Options of Temporal's runtime, so that `/metrics` has the metrics of Temporal's SDK too. */
  readonly runtime: Partial<ReturnType<typeof telemetryAt>>;
  /** Starts to listen. Returns a function that stops it. */
  serve(mongo: Mongo): Promise<() => Promise<void>>;
}

interface Place {
  readonly ports: { readonly metrics: number | undefined };
  readonly listenHost: string | undefined;
}

/** Starts to count, if a port for metrics is configured. Call it before connections are opened. */
export async function openMetrics(
  program: 'server' | 'worker',
  { ports: { metrics: port }, listenHost: host }: Place,
): Promise<ProgramMetrics> {
  if (port === undefined) {
    return { isOn: false, runtime: {}, serve: async () => async () => undefined };
  }
  const { registry, show } = startCounting(program);
  // Only a worker loads Temporal's native library.
  const sdk = program === 'worker' ? await findAddress() : undefined;
  return {
    isOn: true,
    runtime: sdk === undefined ? {} : telemetryAt(sdk),
    serve: async (mongo) => {
      const refresh = watchBacklog(mongo, show);
      const more = sdk === undefined ? {} : { more: async () => readSdk(sdk) };
      return serveMetrics({ registry, refresh, ...more }, { variable: 'METRICS_PORT', port, host });
    },
  };
}

/**
 * Registers all metrics of a program and counts every fact from now on. Returns the registry, the
 * function that shows a backlog, and one that stops counting.
 */
export function startCounting(program: 'server' | 'worker') {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'tollgate_build_info',
    help: 'The program and its version',
    labelNames: ['program', 'version'],
    registers: [registry],
  });
  build.set({ program, version: VERSION }, 1);
  const counting = [countPayments, countWebhooks, countRequests, countCalls, countSweeps];
  const ends = counting.flatMap((count) => count(registry));
  return {
    registry,
    show: makeBacklogGauges(registry),
    stop: (): void => {
      for (const end of ends) end();
    },
  };
}
