import { describe, expect, it } from 'vitest';
import { makePace, makeTurns } from '../../http/pace.ts';

describe('makePace', () => {
  it('passes the first calls of an interval and delays the others until it ends', async () => {
    const pace = makePace(2);
    const passed: number[] = [];
    const all = Array.from({ length: 5 }, async (_, i) => pace().then(() => void passed.push(i)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(passed).toEqual([0, 1]);
    await Promise.all(all);
    expect(passed).toEqual([0, 1, 2, 3, 4]);
  });

  it('counts anew in every interval', async () => {
    const pace = makePace(1);
    await pace();
    await pace();
    const begun = performance.now();
    await pace();
    const free = performance.now() - begun;
    await pace();
    expect(free).toBeLessThan(performance.now() - begun);
  });
});

describe('makeTurns', () => {
  it('come at once after a quiet time, and then one after the other', async () => {
    const takeTurn = makeTurns({ gapMs: 20, burst: 2 });
    const passed: number[] = [];
    const startMs = performance.now();
    const all = Array.from({ length: 7 }, async (_, i) => {
      await takeTurn();
      passed.push(i);
    });
    await Promise.all(all);
    expect(passed).toEqual([0, 1, 2, 3, 4, 5, 6]);
    // Each timer may be a millisecond early.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(4 * (20 - 1));
  });
});
