/** Maps `items` with at most `concurrency` calls of `work` at a time. Rejects with the first failure. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // All loops share one iterator, so each item is taken once.
  const next = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of next) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  return results;
}
