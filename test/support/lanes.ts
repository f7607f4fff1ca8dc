/** Maps `items` with at most `lanes` calls of `work` at a time. Rejects with the first failure. */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // All lanes share one iterator, so each item is taken once.
  const next = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of next) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return results;
}
