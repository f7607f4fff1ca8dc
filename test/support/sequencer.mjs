/** Long files first: one that begins last would keep the other worker waiting for its end. */
import Sequencer from '@jest/test-sequencer';

/** The longest first; those that kill programs lie apart, so that two of them seldom meet. */
const LONG = [
  'test/crash/storm',
  'test/api/hostile-memory',
  'test/crash/databases',
  'test/api/walk',
  'test/journey',
  'test/crash/refunds',
  'test/load',
  'test/cli/',
  'test/crash/worker',
  'test/start',
  'test/crash/',
  'test/activities/hostile-receivers',
  'test/embedded/',
  'test/activities/guard',
  'test/docs/page',
  'test/workflows/',
];

function rank({ path }) {
  const place = LONG.findIndex((part) => path.includes(`/${part}`));
  return place < 0 ? LONG.length : place;
}

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
  }
}
