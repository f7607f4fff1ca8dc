import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { makeLookup } from '../../http/lookup.ts';
import { until } from '../support/until.ts';

/** Queries that wait until the test releases them. */
function heldThings(things: Map<string, string>) {
  const queries: string[][] = [];
  const held: (() => void)[] = [];
  const findAll = async (secrets: string[]): Promise<Map<string, string>> => {
    queries.push(secrets);
    const seen = new Map([...things].filter(([secret]) => secrets.includes(secret)));
    await new Promise<void>((resolve) => held.push(resolve));
    return seen;
  };
  const passAll = (): void => held.splice(0).forEach((pass) => pass());
  return { findAll, queries, passAll };
}

async function answered<T>(promise: Promise<T>, passAll: () => void): Promise<T> {
  const timer = setInterval(passAll, 1);
  return promise.finally(() => clearInterval(timer));
}

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

describe('makeLookup', () => {
  it('reads many made-up secrets together, and a new valid one among them', async () => {
    const { findAll, queries, passAll } = heldThings(new Map([['valid', 'thing']]));
    const lookUp = makeLookup(findAll);
    const first = lookUp('guess');
    await until(
      () => queries.length,
      (count) => count === 1,
    );
    const guesses = Array.from({ length: 500 }, async (_, i) => lookUp(`guess-${i}`));
    const valid = lookUp('valid');
    const all = await answered(Promise.all([first, valid, ...guesses]), passAll);
    expect(all.filter((thing) => thing !== undefined)).toEqual(['thing']);
    expect(queries.map(({ length }) => length)).toEqual([1, 501]);
  });

  it('reads a secret that was found before separately from waiting guesses', async () => {
    const { findAll, queries, passAll } = heldThings(new Map([['valid', 'thing']]));
    const lookUp = makeLookup(findAll);
    await answered(lookUp('valid'), passAll);
    const guess = lookUp('guess');
    await until(
      () => queries.length,
      (count) => count === 2,
    );
    const again = lookUp('valid');
    await until(
      () => queries.length,
      (count) => count === 3,
    );
    expect(queries).toEqual([['valid'], ['guess'], ['valid']]);
    await answered(Promise.all([guess, again]), passAll);
  });

  it('reads a found secret every time, once for all concurrent callers', async () => {
    const things = new Map([['valid', 'old']]);
    const { findAll, queries, passAll } = heldThings(things);
    const lookUp = makeLookup(findAll);
    await answered(lookUp('valid'), passAll);
    const first = lookUp('valid');
    await until(
      () => queries.length,
      (count) => count === 2,
    );
    things.set('valid', 'new');
    // These are too late for the running query, whose result may be out of date.
    const late = Array.from({ length: 100 }, async () => lookUp('valid'));
    const [before, ...after] = await answered(Promise.all([first, ...late]), passAll);
    expect([before, new Set(after)]).toEqual(['old', new Set(['new'])]);
    expect(queries).toHaveLength(3);
  });

  it('fails only the callers that shared a failed query, and no later one', async () => {
    let isAway = true;
    const lookUp = makeLookup(async () => {
      if (isAway) throw new Error('away');
      return new Map([['valid', 'thing']]);
    });
    const failed = await Promise.allSettled([lookUp('valid'), lookUp('other')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await lookUp('valid')).toBe('thing');
  });

  it.each(['found before', 'new'])(
    'reads a %s secret while an earlier query hangs',
    async (kind) => {
      const { findAll, queries, passAll } = heldThings(new Map([['valid', 'thing']]));
      const lookUp = makeLookup(findAll);
      if (kind === 'found before') await answered(lookUp('valid'), passAll);
      const before = queries.length;
      const hanging = lookUp('valid');
      await until(
        () => queries.length,
        (count) => count === before + 1,
      );
      const begunMs = performance.now();
      const later = lookUp('valid');
      await until(
        () => queries.length,
        (count) => count === before + 2,
      );
      // Not at once, because a flood must not cause one query for each request.
      expect(performance.now() - begunMs).toBeGreaterThan(200);
      expect(await answered(Promise.all([hanging, later]), passAll)).toEqual(['thing', 'thing']);
    },
  );

  it('keeps no data of a secret in memory', async () => {
    const seen: WeakRef<object>[] = [];
    const lookUp = makeLookup(async (secrets) => {
      const things = secrets.map((secret) => [secret, { secret }] as const);
      seen.push(...things.map(([, thing]) => new WeakRef(thing)));
      return new Map(things);
    });
    for (let i = 0; i < 3; i += 1) expect(await lookUp('valid')).toEqual({ secret: 'valid' });
    await until(
      () => {
        collect();
        return seen.filter((ref) => ref.deref() !== undefined).length;
      },
      (kept) => kept === 0,
    );
    expect(seen).toHaveLength(3);
  });
});
