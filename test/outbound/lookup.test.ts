import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lookUpHost, makeHostLookup } from '../../outbound/lookup.ts';
import { until } from '../support/until.ts';

/** Longer than a quick lookup. */
const SLOW_MS = 1_050;
/** The time limit of callers that must not time out. */
const PATIENT_MS = 60_000;

/** Creates a resolver that records the names it looks up. */
function openResolver() {
  const lookedUp: string[] = [];
  const silent = new Map<string, (error: Error) => void>();
  return {
    lookedUp,
    /** Names that begin with `silent` get no answer until `giveUp`. */
    lookUp: async (host: string): Promise<readonly string[]> => {
      lookedUp.push(host);
      if (!host.startsWith('silent')) return [`${host} at ${lookedUp.length}`];
      return new Promise((_, reject) => {
        silent.set(host, reject);
      });
    },
    /** Ends the lookup of a silent name with an error. */
    giveUp: (host: string) => silent.get(host)!(new Error('given up')),
  };
}

const codeOf = async (lookup: Promise<unknown>) =>
  lookup.then(
    () => 'found',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const silents = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `silent-${from + index}`);

describe('makeHostLookup', () => {
  it('looks up each name once at a time, and again after a result or a failure', async () => {
    const lookedUp: string[] = [];
    const lookUp = async (host: string) => {
      lookedUp.push(host);
      if (host === 'bad') throw new Error('no');
      return [host];
    };
    const look = makeHostLookup({ lookUp, atOnce: 8 });
    expect(await Promise.all([look('a'), look('b'), look('a')])).toEqual([['a'], ['b'], ['a']]);
    await Promise.all([look('bad').catch(() => 0), expect(look('bad')).rejects.toThrow('no')]);
    await expect(look('bad')).rejects.toThrow('no');
    expect(await look('a')).toEqual(['a']);
    expect(lookedUp).toEqual(['a', 'b', 'bad', 'bad', 'a']);
  });

  it('times out every caller, and starts no second lookup while the first one runs', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ lookUp: resolver.lookUp, atOnce: 8, limitMs: 50 });
    const begun = performance.now();
    expect(await codeOf(look('silent-1'))).toBe('ETIMEOUT');
    expect(await codeOf(look('silent-1'))).toBe('ETIMEOUT');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(95);
    expect(resolver.lookedUp).toEqual(['silent-1']);
    const third = codeOf(look('silent-1'));
    resolver.giveUp('silent-1');
    expect(await third).toBe('given up');
    void codeOf(look('silent-1'));
    expect(resolver.lookedUp).toEqual(['silent-1', 'silent-1']);
  });

  it('limits the number of names at once, including those whose callers have timed out', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ lookUp: resolver.lookUp, atOnce: 8, limitMs: 50 });
    const codes = await Promise.all(silents(20).map(async (host) => codeOf(look(host))));
    expect(new Set(codes)).toEqual(new Set(['ETIMEOUT']));
    // Half of the places, because none of these names was ever quick.
    expect(resolver.lookedUp).toEqual(silents(4));
    // A name without callers is not looked up when a place is free again.
    const later = look('shop');
    resolver.giveUp('silent-0');
    expect(await later).toEqual(['shop at 5']);
    expect(resolver.lookedUp).toEqual([...silents(4), 'shop']);
  });

  it('always has places for names that were quick, even if 100 others are silent', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ lookUp: resolver.lookUp, atOnce: 8, limitMs: PATIENT_MS });
    for (const host of ['a', 'b', 'c']) await look(host);
    let settled = 0;
    const waiting = silents(100).map(async (host) =>
      codeOf(look(host)).finally(() => {
        settled += 1;
      }),
    );
    await Promise.all(['a', 'b', 'c'].map(look));
    // None of the silent names had to end first.
    expect(settled).toBe(0);
    for (const host of silents(100)) {
      await until(
        () => resolver.lookedUp.includes(host),
        (lookedUp) => lookedUp,
      );
      resolver.giveUp(host);
    }
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given up']));
  });

  it('looks up quick names first when a place is free again', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ lookUp: resolver.lookUp, atOnce: 1, limitMs: PATIENT_MS });
    await look('shop');
    const codes = silents(3).map(async (host) => codeOf(look(host)));
    const shop = look('shop');
    resolver.giveUp('silent-0');
    await shop;
    expect(resolver.lookedUp.slice(0, 3)).toEqual(['shop', 'silent-0', 'shop']);
    for (const host of ['silent-1', 'silent-2']) {
      await until(
        () => resolver.lookedUp.includes(host),
        (lookedUp) => lookedUp,
      );
      resolver.giveUp(host);
    }
    await Promise.all(codes);
  });

  it('treats a quick name as slow after one slow lookup', async () => {
    let slowly: (() => void)[] | undefined;
    const lookedUp: string[] = [];
    const lookUp = async (host: string): Promise<readonly string[]> => {
      lookedUp.push(host);
      if (slowly) await new Promise<void>((resolve) => slowly!.push(resolve));
      return [host];
    };
    const look = makeHostLookup({ lookUp, atOnce: 8, limitMs: PATIENT_MS });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const lookUpAll = async () => Promise.all(names.map(look));
    await lookUpAll();
    slowly = [];
    // All names are quick, so they may take all places. Then they become slow.
    const late = lookUpAll();
    await until(
      () => slowly?.length,
      (count) => count === 5,
    );
    await sleep(SLOW_MS);
    for (const finish of slowly.splice(0)) finish();
    await late;
    const again = lookUpAll();
    await until(
      () => slowly?.length,
      (count) => count === 2,
    );
    expect(lookedUp).toHaveLength(5 + 5 + 2);
    const finishAll = setInterval(() => slowly?.splice(0).forEach((finish) => finish()), 5);
    await again;
    clearInterval(finishAll);
  });

  it('keeps places for unknown names while others are slow', async () => {
    const resolver = openResolver();
    const look = makeHostLookup({ lookUp: resolver.lookUp, atOnce: 8, limitMs: 50 });
    for (const host of silents(4)) {
      const code = codeOf(look(host));
      resolver.giveUp(host);
      expect(await code).toBe('given up');
    }
    const codes = silents(4).map(async (host) => codeOf(look(host)));
    // Two of the four are looked up again, which is a quarter of the places.
    expect(await Promise.all(['new-1', 'new-2'].map(look))).toHaveLength(2);
    expect(resolver.lookedUp.filter((host) => host.startsWith('silent'))).toHaveLength(4 + 2);
    await Promise.all(codes);
  });
});

describe('lookUpHost', () => {
  it('looks up names like other programs of this machine', async () => {
    const addresses = await lookUpHost('localhost');
    expect(addresses).toEqual(expect.arrayContaining(['127.0.0.1']));
    expect(await codeOf(lookUpHost('no-such-host.invalid'))).toMatch(/^ENOTFOUND|EAI_AGAIN$/);
  });
});
