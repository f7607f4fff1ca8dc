/** Work that stays unfinished until the test ends it. */
/** Returns work that is pending until `end` is called. */
export function pendingWork(): { work: () => Promise<void>; end: () => void } {
  const ends: (() => void)[] = [];
  const ended = new Promise<void>((resolve) => {
    ends.push(resolve);
  });
  return {
    work: async () => ended,
    end: () => ends.forEach((end) => end()),
  };
}
