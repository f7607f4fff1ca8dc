import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** Files that mostly wait, for programs that restart and for times that pass. */
const WAITING = /[/\\]test[/\\](?:crash|journey|load|start\.test|embedded|workflows)/;

/** Starts the files that wait first, so that none of them runs alone at the end. */
class WaitingFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    const waits = sorted.filter(({ moduleId }) => WAITING.test(moduleId));
    return [...waits, ...sorted.filter((file) => !waits.includes(file))];
  }
}

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
    // One more than two processors, because many files wait.
    maxWorkers: 3,
    // Files share the modules of their process: to load them takes more time than most files.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
  },
});
