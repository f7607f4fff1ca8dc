import { writeSync } from 'node:fs';

const STDOUT = 1;

/** Prints `N passed, N failed[, N skipped]` as the very last line of a run: CI reads it. */
// oxlint-disable-next-line import/no-default-export
export default class CountReporter {
  /** @param {unknown} _contexts @param {import('@jest/reporters').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    // A file that could not be run holds no test that failed, yet it is no success.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = [`${results.numPassedTests} passed`, `${failed} failed`];
    if (skipped > 0) counts.push(`${skipped} skipped`);
    // Jest's own summary and the teardown still write after this call.
    process.once('exit', () => writeSync(STDOUT, `${counts.join(', ')}\n`));
  }
}
