/** Asking for names in a way that those whose name servers are slow or silent hold up no others. */
import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { inTime } from '../concurrency.ts';

/** The addresses of a name, in the order the resolver gives them. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

/** Longer than any honest name server takes, and a third of what an attempt may. */
const LIMIT_MS = 5_000;
/** A name that is found within this time is quick; others are slow, and so are those that fail. */
const QUICK_MS = 1_000;
/** Names whose pace is remembered; the one unused for longest is forgotten. */
const MAX_NAMES = 10_000;
/**
 * How much of the room is for the slow names alone, for these and the unknown ones together, and
 * for all: so the quick have room when nobody else gets an answer, and the unknown have it too.
 */
const SHARES = [1 / 4, 1 / 2, 1];
const SLOW = 0;
const UNKNOWN = 1;
const QUICK = 2;
/**
 * For processes that look up a name now and then, and have the four threads of every Node process
 * for it; hashing a password takes one of them too.
 */
const FEW_AT_ONCE = 2;

/** Asks the way every program of this machine asks: its hosts file, then its name servers. */
const askMachine: HostLookup = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map((entry) => entry.address);
};

interface HostLookupOptions {
  /** How a name is asked for; as the system does when it is left out. */
  readonly ask?: HostLookup | undefined;
  /** Look-ups under way at most, those included that nobody waits for any more. */
  readonly atOnce: number;
  /** For each caller; 5 s when it is left out. */
  readonly limitMs?: number;
}

/** A name that is asked for, or is to be once there is room. */
interface Question {
  readonly host: string;
  readonly answer: Promise<readonly string[]>;
  readonly begin: () => void;
  /** How many still wait for it. */
  callers: number;
}

/**
 * The system's look-up holds a thread until the name's own servers have answered, and cannot be
 * called off. So a name is asked for once at a time, only so many are asked for at once, and there
 * is always room for those that were answered quickly the last time. A caller is told `ETIMEOUT`
 * after `limitMs`, whether its name was asked for by then or not.
 */
export function makeHostLookup({
  ask = askMachine,
  atOnce,
  limitMs = LIMIT_MS,
}: HostLookupOptions): HostLookup {
  const room = makeRoom(atOnce);
  const questions = new Map<string, Question>();
  const waiting = new Set<Question>();

  async function run(host: string): Promise<readonly string[]> {
    const leave = room.enter(host);
    let isFound = false;
    try {
      const found = await ask(host);
      isFound = true;
      return found;
    } finally {
      leave(isFound);
      questions.delete(host);
      beginNext();
    }
  }

  function beginNext(): void {
    const quickFirst = [...waiting].toSorted((a, b) => room.paceOf(b.host) - room.paceOf(a.host));
    for (const question of quickFirst) {
      if (!room.hasRoom(question.host)) return;
      waiting.delete(question);
      question.begin();
    }
  }

  function questionOf(host: string): Question {
    const known = questions.get(host);
    if (known) return known;
    const question = makeQuestion(host, run);
    questions.set(host, question);
    if (room.hasRoom(host)) question.begin();
    else waiting.add(question);
    return question;
  }

  return async (host) => {
    const question = questionOf(host);
    question.callers += 1;
    try {
      return await inTime(question.answer, limitMs, noAnswer);
    } finally {
      question.callers -= 1;
      // Nothing is asked for on behalf of nobody.
      if (question.callers === 0 && waiting.delete(question)) questions.delete(host);
    }
  };
}

/** Who is asked for at the moment, and at which pace the names were answered the last time. */
function makeRoom(atOnce: number) {
  const paces = new LRUCache<string, number>({ max: MAX_NAMES });
  /** How many of each pace are asked for. */
  const underWay = SHARES.map(() => 0);
  const paceOf = (host: string): number => paces.get(host) ?? UNKNOWN;
  const add = (pace: number, change: number): void => {
    underWay[pace] = (underWay[pace] ?? 0) + change;
  };
  return {
    paceOf,

    hasRoom(host: string): boolean {
      const pace = paceOf(host);
      return SHARES.every((share, upTo) => {
        const sum = underWay.slice(0, upTo + 1).reduce((total, count) => total + count, 0);
        return upTo < pace || sum < Math.max(1, Math.floor(atOnce * share));
      });
    },

    /** Counts the name among those that are asked for, until what it answers is called. */
    enter(host: string): (isFound: boolean) => void {
      const pace = paceOf(host);
      add(pace, 1);
      const late = setTimeout(() => paces.set(host, SLOW), QUICK_MS).unref();
      const begun = performance.now();
      return (isFound) => {
        clearTimeout(late);
        const isQuick = isFound && performance.now() - begun <= QUICK_MS;
        paces.set(host, isQuick ? QUICK : SLOW);
        add(pace, -1);
      };
    },
  };
}

const nothing = (): void => undefined;

function makeQuestion(host: string, ask: HostLookup): Question {
  let begin = nothing;
  const answer = new Promise<readonly string[]>((resolve) => {
    begin = () => resolve(ask(host));
  });
  return { host, answer, begin, callers: 0 };
}

/** Returns the resolver's own error for a name that it has not found in time. */
const noAnswer = (): Error => Object.assign(new Error('No answer in time.'), { code: 'ETIMEOUT' });

/** Asks as the system does, a few names at once. */
export const askSystem: HostLookup = makeHostLookup({ atOnce: FEW_AT_ONCE });
