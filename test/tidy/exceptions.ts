/** Files that may import every room, and packages that not every room may import. */

/** Files that make the programs, and are no part of them. */
export const TOOLS = ['build.ts', 'pack.mjs', 'vitest.config.mjs'];

/** Files and folders that may import every room. */
export const ENTRIES = ['server.ts', 'worker.ts', 'start.ts', 'test/', 'bench/', ...TOOLS];

/** Packages that only these rooms may import, besides test/ and bench/. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  mongodb: ['store/', 'embedded/'],
  '@temporalio/client': ['temporal/', 'worker.ts', 'embedded/'],
  '@temporalio/worker': ['worker.ts'],
  '@temporalio/workflow': ['workflows/'],
  '@temporalio/activity': ['activities/'],
  '@temporalio/envconfig': ['config.ts'],
  undici: ['outbound/'],
  preact: ['ui/', 'checkout/', 'dashboard/', 'demo/', 'docs/'],
  marked: ['docs/'],
  envalid: ['config.ts', 'config/'],
  '@opentelemetry/api': ['tracing/export.ts'],
  '@opentelemetry/exporter-trace-otlp-proto': ['tracing/export.ts'],
  '@opentelemetry/resources': ['tracing/export.ts'],
  '@opentelemetry/sdk-trace-base': ['tracing/export.ts'],
  'rate-limiter-flexible': ['http/'],
  commander: ['cli/'],
  'prom-client': ['metrics/'],
  execa: ['embedded/', 'cli/', 'start.ts'],
};
