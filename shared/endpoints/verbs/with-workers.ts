/**
 * Does the same with each of the items, in their order and so many at a time; at least one. The first error ends it:
 * nothing new is begun, and it is thrown when what was begun is over.
 */
export async function withWorkers<T>(
  items: readonly T[],
  workers: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      try {
        await work(items[next++] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(items.length, Math.max(1, workers)) }, worker));
  if (failures.length > 0) throw failures[0];
}
