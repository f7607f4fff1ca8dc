/** Looks up host names so that names with slow or silent name servers do not delay others. */
import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { inTime } from '../concurrency.ts';

/** Returns the addresses of a name, in the resolver's order. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

/** The longest wait of a caller: more than any working name server needs. */
const LIMIT_MS = 5_000;
/** A name that is found within this time is quick. All others are slow, and so are failures. */
const QUICK_MS = 1_000;
/** The number of names whose speed is remembered. */
const MAX_NAMES = 10_000;
/**
 * The shares of all places for slow names, for slow and unknown ones together, and for all. So
 * quick names always find a place, and unknown names find one if only slow ones are under way.
 */
const SHARES = [1 / 4, 1 / 2, 1];
const SLOW = 0;
const UNKNOWN = 1;
const QUICK = 2;
/** The limit for processes with Node's default of four threads, which also hash passwords. */
const FEW_AT_ONCE = 2;

/** Uses the hosts file and then the name servers, like every program of this machine. */
const systemLookup: HostLookup = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map((entry) => entry.address);
};

interface HostLookupOptions {
  /** Looks up one name; the system by default. */
  readonly lookUp?: HostLookup | undefined;
  /** The maximum of lookups under way, including those whose callers have given up. */
  readonly atOnce: number;
  /** The longest wait of a caller, in milliseconds; 5 s by default. */
  readonly limitMs?: number;
}

/**
 * Creates a lookup that limits the names under way. It is needed because the system's lookup cannot
 * be canceled and holds a thread until the name servers respond. All callers of one name share a
 * lookup. Names that were quick the last time always find a place. After `limitMs`, a caller gets
 * the error `ETIMEOUT`, even if its name still waits.
 */
export function makeHostLookup({
  lookUp = systemLookup,
  atOnce,
  limitMs = LIMIT_MS,
}: HostLookupOptions): HostLookup {
  const places = makePlaces(atOnce);
  const queries = new Map<string, Query>();
  const waiting = new Set<Query>();

  async function run(host: string): Promise<readonly string[]> {
    const leave = places.enter(host);
    let isFound = false;
    try {
      const found = await lookUp(host);
      isFound = true;
      return found;
    } finally {
      leave(isFound);
      queries.delete(host);
      beginNext();
    }
  }

  function beginNext(): void {
    const quickFirst = [...waiting].toSorted(
      (a, b) => places.speedOf(b.host) - places.speedOf(a.host),
    );
    for (const query of quickFirst) {
      if (!places.isFreeFor(query.host)) return;
      waiting.delete(query);
      query.begin();
    }
  }

  function queryOf(host: string): Query {
    const known = queries.get(host);
    if (known) return known;
    const query = makeQuery(host, run);
    queries.set(host, query);
    if (places.isFreeFor(host)) query.begin();
    else waiting.add(query);
    return query;
  }

  return async (host) => {
    const query = queryOf(host);
    query.callers += 1;
    try {
      return await inTime(query.addresses, limitMs, tooLate);
    } finally {
      query.callers -= 1;
      // A name that nobody waits for any more is not looked up.
      if (query.callers === 0 && waiting.delete(query)) queries.delete(host);
    }
  };
}

/** Counts the lookups under way by speed, and remembers the speed of each name. */
function makePlaces(atOnce: number) {
  const speeds = new LRUCache<string, number>({ max: MAX_NAMES });
  /** The number of lookups under way of each speed. */
  const underWay = SHARES.map(() => 0);
  const speedOf = (host: string): number => speeds.get(host) ?? UNKNOWN;
  const add = (speed: number, change: number): void => {
    underWay[speed] = (underWay[speed] ?? 0) + change;
  };
  return {
    speedOf,

    isFreeFor(host: string): boolean {
      const speed = speedOf(host);
      return SHARES.every((share, upTo) => {
        const sum = underWay.slice(0, upTo + 1).reduce((total, count) => total + count, 0);
        return upTo < speed || sum < Math.max(1, Math.floor(atOnce * share));
      });
    },

    /** Counts a lookup of the name until the returned function is called. */
    enter(host: string): (isFound: boolean) => void {
      const speed = speedOf(host);
      add(speed, 1);
      const slowTimer = setTimeout(() => speeds.set(host, SLOW), QUICK_MS).unref();
      const startedMs = performance.now();
      return (isFound) => {
        clearTimeout(slowTimer);
        const isQuick = isFound && performance.now() - startedMs <= QUICK_MS;
        speeds.set(host, isQuick ? QUICK : SLOW);
        add(speed, -1);
      };
    },
  };
}

const nothing = (): void => undefined;

type Query = ReturnType<typeof makeQuery>;

/** Creates a lookup of one name that waits for `begin`. `callers` counts those that still wait. */
function makeQuery(host: string, lookUp: HostLookup) {
  let begin = nothing;
  const addresses = new Promise<readonly string[]>((resolve) => {
    begin = () => resolve(lookUp(host));
  });
  return { host, addresses, begin, callers: 0 };
}

/** Returns the same error as the resolver's own for a name that was not found in time. */
const tooLate = (): Error => Object.assign(new Error('No answer in time.'), { code: 'ETIMEOUT' });

/** Looks up a few names at once. */
export const lookUpHost: HostLookup = makeHostLookup({ atOnce: FEW_AT_ONCE });
