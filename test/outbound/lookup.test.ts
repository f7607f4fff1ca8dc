import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { askSystem, makeHostLookup } from '../../outbound/lookup.ts';
import { until } from '../support/until.ts';

/** Longer than a quick answer takes. */
const SLOW_MS = 1_050;
/** For callers that are not meant to be told that it took too long. */
const PATIENT_MS = 60_000;

/** How the resolver of a test answers a name, and who has been asked for so far. */
function openResolver() {
  const asked: string[] = [];
  const silent = new Map<string, (error: Error) => void>();
  return {
    asked,
    /** Names that begin with `silent` get no answer until they are let go of. */
    ask: async (host: string): Promise<readonly string[]> => {
      asked.push(host);
      if (!host.startsWith('silent')) return [`${host} at ${asked.length}`];
      return new Promise((_, reject) => {
        silent.set(host, reject);
      });
    },
    /** The name servers of that name are given up by the system. */
    giveUp: (host: string) => silent.get(host)!(new Error('given up')),
  };
}

const codeOf = async (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const silents = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `silent-${from + index}`);

describe('makeHostLookup', () => {
  it('asks for each name once at a time, and again after an answer or a failure', async () => {
    const asked: string[] = [];
    const ask = async (host: string) => {
      asked.push(host);
      if (host === 'bad') throw new Error('no');
      return [host];
    };
    const look = makeHostLookup({ ask, atOnce: 8 });
    expect(await Promise.all([look('a'), look('b'), look('a')])).toEqual([['a'], ['b'], ['a']]);
    await Promise.all([look('bad').catch(() => 0), expect(look('bad')).rejects.toThrow('no')]);
    await expect(look('bad')).rejects.toThrow('no');
    expect(await look('a')).toEqual(['a']);
    expect(asked).toEqual(['a', 'b', 'bad', 'bad', 'a']);
  });

  it('tells every caller in time, and asks no second time while the first goes on', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ ask: resolver.ask, atOnce: 8, limitMs: 50 });
    const begun = performance.now();
    expect(await codeOf(look('silent-1'))).toBe('ETIMEOUT');
    expect(await codeOf(look('silent-1'))).toBe('ETIMEOUT');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(95);
    expect(resolver.asked).toEqual(['silent-1']);
    const third = codeOf(look('silent-1'));
    resolver.giveUp('silent-1');
    expect(await third).toBe('given up');
    void codeOf(look('silent-1'));
    expect(resolver.asked).toEqual(['silent-1', 'silent-1']);
  });

  it('asks for so many names at once and no more, those that nobody waits for included', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ ask: resolver.ask, atOnce: 8, limitMs: 50 });
    const codes = await Promise.all(silents(20).map(async (host) => codeOf(look(host))));
    expect(new Set(codes)).toEqual(new Set(['ETIMEOUT']));
    // Half of them: none of these names has ever been answered quickly.
    expect(resolver.asked).toEqual(silents(4));
    // What nobody waits for any more is not asked for when there is room again.
    const later = look('shop');
    resolver.giveUp('silent-0');
    expect(await later).toEqual(['shop at 5']);
    expect(resolver.asked).toEqual([...silents(4), 'shop']);
  });

  it('has room for names that were found quickly, however many others are silent', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ ask: resolver.ask, atOnce: 8, limitMs: PATIENT_MS });
    for (const host of ['a', 'b', 'c']) await look(host);
    let settled = 0;
    const waiting = silents(100).map(async (host) =>
      codeOf(look(host)).finally(() => {
        settled += 1;
      }),
    );
    await Promise.all(['a', 'b', 'c'].map(look));
    // Not one of the others had to make room for them.
    expect(settled).toBe(0);
    for (const host of silents(100)) {
      await until(
        () => resolver.asked.includes(host),
        (asked) => asked,
      );
      resolver.giveUp(host);
    }
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given up']));
  });

  it('asks for the quick ones first when there is room again', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ ask: resolver.ask, atOnce: 1, limitMs: PATIENT_MS });
    await look('shop');
    const answers = silents(3).map(async (host) => codeOf(look(host)));
    const shop = look('shop');
    resolver.giveUp('silent-0');
    await shop;
    expect(resolver.asked.slice(0, 3)).toEqual(['shop', 'silent-0', 'shop']);
    for (const host of ['silent-1', 'silent-2']) {
      await until(
        () => resolver.asked.includes(host),
        (asked) => asked,
      );
      resolver.giveUp(host);
    }
    await Promise.all(answers);
  });

  it('does not take a name for quick any longer once it is slow', async () => {
    let slowly: (() => void)[] | undefined;
    const asked: string[] = [];
    const ask = async (host: string): Promise<readonly string[]> => {
      asked.push(host);
      if (slowly) await new Promise<void>((resolve) => slowly!.push(resolve));
      return [host];
    };
    const look = makeHostLookup({ ask, atOnce: 8, limitMs: PATIENT_MS });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const askAll = async () => Promise.all(names.map(look));
    await askAll();
    slowly = [];
    // All of them are quick, so that they may take all the room; then they are so no more.
    const late = askAll();
    await until(
      () => slowly?.length,
      (count) => count === 5,
    );
    await sleep(SLOW_MS);
    for (const answer of slowly.splice(0)) answer();
    await late;
    const again = askAll();
    await until(
      () => slowly?.length,
      (count) => count === 2,
    );
    expect(asked).toHaveLength(5 + 5 + 2);
    const answerAll = setInterval(() => slowly?.splice(0).forEach((answer) => answer()), 5);
    await again;
    clearInterval(answerAll);
  });

  it('keeps room for names it has never heard of from those that were slow', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ ask: resolver.ask, atOnce: 8, limitMs: 50 });
    for (const host of silents(4)) {
      const code = codeOf(look(host));
      resolver.giveUp(host);
      expect(await code).toBe('given up');
    }
    const codes = silents(4).map(async (host) => codeOf(look(host)));
    // Two of the four are asked for again, which is a quarter of the room.
    expect(await Promise.all(['new-1', 'new-2'].map(look))).toHaveLength(2);
    expect(resolver.asked.filter((host) => host.startsWith('silent'))).toHaveLength(4 + 2);
    await Promise.all(codes);
  });
});

describe('askSystem', () => {
  it('asks as every program of this machine does', async () => {
    const addresses = await askSystem('localhost');
    expect(addresses).toEqual(expect.arrayContaining(['127.0.0.1']));
    expect(await codeOf(askSystem('no-such-host.invalid'))).toMatch(/^ENOTFOUND|EAI_AGAIN$/);
  });
});
