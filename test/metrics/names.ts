/** The names of all metrics, without the suffixes of a histogram's series. */
import type { Registry } from 'prom-client';
import { startCounting } from '../../metrics/program.ts';
import { makeSmokeMetrics } from '../../metrics/smoke.ts';

const namesIn = (registry: Registry): string[] =>
  registry.getMetricsAsArray().map(({ name }) => name);

const { registry, stop } = startCounting('server');
stop();

/** The metrics that the code registers. */
export const METRICS: readonly string[] = [
  ...namesIn(registry),
  ...namesIn(makeSmokeMetrics().registry),
];

/** Those of Temporal's SDK that the alerts and the dashboard use. A test finds them at a worker. */
export const SDK_METRICS = [
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_activity_schedule_to_start_latency_seconds',
  'temporal_worker_task_slots_available',
];
