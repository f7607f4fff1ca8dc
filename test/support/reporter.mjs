import { writeSync } from 'node:fs';

const STDOUT = 1;

/**
 * Prints the tests that passed at their second try, and `N passed, N failed[, N skipped]` as the
 * last line of a run, which CI reads.
 */
// oxlint-disable-next-line import/no-default-export
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} files
   * @param {readonly unknown[]} faults errors outside any test
   */
  onTestRunEnd(files, faults) {
    const tests = files.flatMap(({ children }) => [...children.allTests()]);
    const states = tests.map((test) => test.result().state);
    for (const test of tests.filter((each) => each.diagnostic()?.flaky)) {
      console.log(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}`);
    }
    const count = (/** @type {string} */ state) => states.filter((each) => each === state).length;
    // A file that could not be loaded, or a hook that failed, has no failed test, but it counts.
    const suites = files.flatMap((file) => [file, ...file.children.allSuites()]);
    const broken = suites.flatMap((suite) => suite.errors()).length + faults.length;
    const counts = [`${count('passed')} passed`, `${count('failed') + broken} failed`];
    const skipped = count('skipped') + count('pending');
    if (skipped > 0) counts.push(`${skipped} skipped`);
    // Vitest and the teardown still print after this call.
    process.once('exit', () => writeSync(STDOUT, `${counts.join(', ')}\n`));
  }
}
