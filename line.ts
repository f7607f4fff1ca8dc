/** One after another, for each name: what would only get in its own way if it were done at once. */
export type InLine = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** A line of its own for each name; a name that nobody waits for costs no memory. */
export function makeLines(): InLine {
  const lasts = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = lasts.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    lasts.set(name, mine);
    return mine.finally(() => {
      if (lasts.get(name) === mine) lasts.delete(name);
    });
  };
}
