import { defineConfig } from 'vitest/config';

// Vitest loads its configuration by the default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    // Real servers are started once for the whole run and shared by every file.
    globalSetup: 'test/support/setup.mjs',
    reporters: ['default', './test/support/reporter.mjs'],
    slowTestThreshold: 30_000,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Files share the modules of their process: to load them takes more time than most files.
    isolate: false,
  },
});
