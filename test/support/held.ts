/** Work that goes on until the test ends it. */
export function heldWork(): { work: () => Promise<void>; end: () => void } {
  const ends: (() => void)[] = [];
  const ended = new Promise<void>((resolve) => {
    ends.push(resolve);
  });
  return {
    work: async () => ended,
    end: () => ends.forEach((end) => end()),
  };
}
