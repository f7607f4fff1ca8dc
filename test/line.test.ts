import { describe, expect, it } from '@jest/globals';
import { forEach, makeLines } from '../line.ts';

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

  it('lets so many names go on at once, in order, and a failed one makes room too', async () => {
    const inLine = makeLines(2);
    const seen: string[] = [];
    let inside = 0;
    let most = 0;
    const work = (name: string) => async () => {
      inside += 1;
      most = Math.max(most, inside);
      seen.push(name);
      await moment();
      inside -= 1;
      if (name === 'b') throw new Error('broken');
    };
    const names = ['a', 'b', 'c', 'd', 'e'];
    const all = await Promise.allSettled(names.map(async (name) => inLine(name, work(name))));
    expect(most).toBe(2);
    expect(seen).toEqual(names);
    expect(all.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(
      1,
    );
  });

  it('keeps no room for those who wait behind their own name', async () => {
    const inLine = makeLines(2);
    const seen: string[] = [];
    const work = (name: string) => async () => {
      await moment();
      seen.push(name);
    };
    await Promise.all(['a', 'a', 'a', 'b'].map(async (name) => inLine(name, work(name))));
    expect(seen.slice(0, 2).toSorted()).toEqual(['a', 'b']);
  });
});

describe('forEach', () => {
  it('does so many at once, goes on after a failure and throws the first in the end', async () => {
    const done: number[] = [];
    let inside = 0;
    let most = 0;
    const work = async (one: number): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await moment();
      inside -= 1;
      if (one === 2 || one === 4) throw new Error(`${one} is broken`);
      done.push(one);
    };
    await expect(forEach([1, 2, 3, 4, 5, 6], { atOnce: 2 }, work)).rejects.toThrow('2 is broken');
    expect(done).toEqual([1, 3, 5, 6]);
    expect(most).toBe(2);
  });
});
