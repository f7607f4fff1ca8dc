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
  it('lets one caller pass after the other, and turns away those who are too many', async () => {
    const takeTurn = makeTurns({ gapMs: 20, burst: 2, most: 4 });
    const passed: number[] = [];
    const startMs = performance.now();
    const all = Array.from({ length: 9 }, async (_, i) => {
      const isPassed = await takeTurn();
      if (isPassed) passed.push(i);
      return isPassed;
    });
    expect(await Promise.all(all)).toEqual([...Array(7).fill(true), false, false]);
    expect(passed).toEqual([0, 1, 2, 3, 4, 5, 6]);
    // A timer may be a millisecond early.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(4 * 20 - 1);
    expect(await takeTurn()).toBe(true);
  });
});
