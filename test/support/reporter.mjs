import { writeSync } from 'node:fs';

const STDOUT = 1;

/** Prints `N passed, N failed[, N skipped]` as the very last line of a run: CI reads it. */
// oxlint-disable-next-line import/no-default-export
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} files
   * @param {readonly unknown[]} faults errors outside of any test
   */
  onTestRunEnd(files, faults) {
    const states = files.flatMap(({ children }) =>
      [...children.allTests()].map((test) => test.result().state),
    );
    const count = (/** @type {string} */ state) => states.filter((each) => each === state).length;
    // A file that could not be run holds no test that failed, yet it is no success.
    const broken = files.flatMap((file) => file.errors()).length + faults.length;
    const counts = [`${count('passed')} passed`, `${count('failed') + broken} failed`];
    const skipped = count('skipped') + count('pending');
    if (skipped > 0) counts.push(`${skipped} skipped`);
    // Vitest's own summary and the teardown still write after this call.
    process.once('exit', () => writeSync(STDOUT, `${counts.join(', ')}\n`));
  }
}
