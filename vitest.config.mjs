import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** Files that mostly wait, for restarts and for timers. */
const WAITING =
  /[/\\]test[/\\](?:crash|journey|load|upgrade|start\.test|embedded|workflows|temporal|tracing|smoke)/;

/** Runs the waiting files first, so that none of them runs alone at the end. */
class WaitingFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    const waits = sorted.filter(({ moduleId }) => WAITING.test(moduleId));
    return [...waits, ...sorted.filter((file) => !waits.includes(file))];
  }
}

// Vitest requires a default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    // Starts real servers once. All files share them.
    globalSetup: 'test/support/setup.mjs',
    reporters: ['default', './test/support/reporter.mjs'],
    slowTestThreshold: 30_000,
    // A machine that is busy with something else may stall for seconds. The reporter names these.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    pool: 'forks',
    // Two for each processor of a small machine, because many files wait.
    maxWorkers: 4,
    // Files of one process share its modules: loading them would take longer than most tests.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
  },
});
