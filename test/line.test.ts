import { describe, expect, it } from '@jest/globals';
import { makeLines } from '../line.ts';

const moment = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('makeLines', () => {
  it('does one after another for a name, in order, and others at the same time', async () => {
    const inLine = makeLines();
    const seen: string[] = [];
    const work = (name: string, step: number) => async () => {
      seen.push(`${name}${step} begins`);
      await moment();
      seen.push(`${name}${step} ends`);
    };
    await Promise.all([
      inLine('a', work('a', 1)),
      inLine('a', work('a', 2)),
      inLine('b', work('b', 1)),
    ]);
    const ofA = seen.filter((line) => line.startsWith('a'));
    expect(ofA).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
    expect(seen.indexOf('b1 begins')).toBeLessThan(seen.indexOf('a1 ends'));
  });

  it('goes on after one that failed, and tells its own caller alone', async () => {
    const inLine = makeLines();
    const failed = inLine('a', async () => {
      throw new Error('broken');
    });
    const next = inLine('a', async () => 'done');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
