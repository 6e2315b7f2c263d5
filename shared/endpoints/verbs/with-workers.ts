/**
 * Runs `work` for each item, in order, with up to `workers` (at least one) at the same time. After the first error no
 * further item is started, and the error is thrown when the running ones have finished.
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
