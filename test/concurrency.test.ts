import { describe, expect, it } from 'vitest';
import { forEach, makeQueues } from '../concurrency.ts';
import { pendingWork } from './support/pending.ts';

const moment = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const of = (tenant: string, name = 'a') => ({ tenant, name });

describe('makeQueues', () => {
  it('runs the work of one name in order, and other names at the same time', async () => {
    const inQueue = makeQueues();
    const seen: string[] = [];
    const work = (name: string, step: number) => async () => {
      seen.push(`${name}${step} begins`);
      await moment();
      seen.push(`${name}${step} ends`);
    };
    await Promise.all([
      inQueue(of('m'), work('a', 1)),
      inQueue(of('m'), work('a', 2)),
      inQueue(of('m', 'b'), work('b', 1)),
    ]);
    const ofA = seen.filter((line) => line.startsWith('a'));
    expect(ofA).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
    expect(seen.indexOf('b1 begins')).toBeLessThan(seen.indexOf('a1 ends'));
  });

  it('continues after a failure, and reports it to its own caller alone', async () => {
    const inQueue = makeQueues();
    const failed = inQueue(of('m'), async () => {
      throw new Error('broken');
    });
    const next = inQueue(of('m'), async () => 'done');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });

  it('runs `atOnce` names at a time, in order, and frees the place of a failed one', async () => {
    const inQueue = makeQueues(2);
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
    const all = await Promise.allSettled(names.map(async (name) => inQueue(of(name), work(name))));
    expect(most).toBe(2);
    expect(seen).toEqual(names);
    expect(all.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(
      1,
    );
  });

  it('gives no place to work that waits for earlier work of its name', async () => {
    const inQueue = makeQueues(2);
    const seen: string[] = [];
    const work = (name: string) => async () => {
      await moment();
      seen.push(name);
    };
    await Promise.all(['a', 'a', 'a', 'b'].map(async (name) => inQueue(of(name), work(name))));
    expect(seen.slice(0, 2).toSorted()).toEqual(['a', 'b']);
  });
});

describe('a tenant', () => {
  it('does not wait for the same name of another tenant', async () => {
    const inQueue = makeQueues();
    const held = pendingWork();
    const first = inQueue(of('flooding', 'pay_1'), held.work);
    expect(await inQueue(of('quiet', 'pay_1'), async () => 'done')).toBe('done');
    held.end();
    await first;
  });

  it('gets a place while another tenant uses its whole share', async () => {
    const inQueue = makeQueues(3);
    const held = pendingWork();
    const flood = Array.from({ length: 20 }, async (_, i) => inQueue(of('m', `${i}`), held.work));
    for (const name of ['a', 'b', 'c']) {
      expect(await inQueue(of('quiet', name), async () => 'done')).toBe('done');
    }
    held.end();
    await Promise.all(flood);
  });

  it('that waits gets a place before the second piece of work of an earlier tenant', async () => {
    const inQueue = makeQueues(2);
    const held = pendingWork();
    const seen: string[] = [];
    const note = (name: string) => async () => {
      seen.push(name);
      await moment();
    };
    const holding = ['x', 'y'].map(async (tenant) => inQueue(of(tenant), held.work));
    const flood = ['1', '2', '3'].map(async (n) => inQueue(of('m', n), note('m')));
    const other = inQueue(of('quiet'), note('quiet'));
    held.end();
    await Promise.all([...holding, ...flood, other]);
    expect(seen.indexOf('quiet')).toBeLessThan(2);
    expect(seen).toHaveLength(4);
  });
});

describe('forEach', () => {
  it('runs `atOnce` at a time, continues after a failure, and throws the first error at the end', async () => {
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
