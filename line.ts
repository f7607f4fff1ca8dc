/** One after another, for each name: what would only get in its own way if it were done at once. */
export type InLine = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Does `work` for each of them, so many at once, and goes on after a failure; throws the first one
 * in the end.
 */
export async function forEach<T>(
  all: readonly T[],
  { atOnce }: { atOnce: number },
  work: (one: T) => Promise<void>,
): Promise<void> {
  const inRoom = makeRoom(atOnce);
  const done = await Promise.allSettled(all.map(async (one) => inRoom(async () => work(one))));
  const failed = done.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * A line of its own for each name, of which `atOnce` go on at the same time, in the order in which
 * they could; a name that nobody waits for costs no memory.
 */
export function makeLines(atOnce = Infinity): InLine {
  const lasts = new Map<string, Promise<unknown>>();
  const inRoom = makeRoom(atOnce);
  return async (name, work) => {
    const before = lasts.get(name) ?? Promise.resolve();
    const enter = async () => inRoom(work);
    const mine = before.then(enter, enter);
    lasts.set(name, mine);
    return mine.finally(() => {
      if (lasts.get(name) === mine) lasts.delete(name);
    });
  };
}

/** Room for so many at once; the others wait, first come first served. */
function makeRoom(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = size;
  return async (work) => {
    if (free > 0) free -= 1;
    else {
      await new Promise<void>((enter) => {
        waiting.push(enter);
      });
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
