/** Works on all items, so many at a time, and resolves with the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of entries) [results[at]] = (await Promise.allSettled([work(item)])) as [never];
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
