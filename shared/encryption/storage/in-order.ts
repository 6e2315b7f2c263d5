import { nextSlice, sliceMs } from '#shared/apimachinery/slices/slices.ts';

/**
 * Applies a function that may wait to all items, one after the other and in slices; at once where nothing waits and the
 * time is not up.
 */
export function mapInOrder<T, R>(items: readonly T[], apply: (item: T) => R | Promise<R>): R[] | Promise<R[]> {
  const results: R[] = [];
  const end = performance.now() + sliceMs;
  for (const item of items) {
    const result = apply(item);
    if (result instanceof Promise) return continueWith(results, result, items, apply);
    results.push(result);
    if (performance.now() > end && results.length < items.length) return continueWith(results, undefined, items, apply);
  }
  return results;
}

async function continueWith<T, R>(
  results: R[],
  awaited: Promise<R> | undefined,
  items: readonly T[],
  apply: (item: T) => R | Promise<R>,
): Promise<R[]> {
  if (awaited !== undefined) results.push(await awaited);
  let end = 0;
  for (const item of items.slice(results.length)) {
    if (performance.now() > end) {
      await nextSlice();
      end = performance.now() + sliceMs;
    }
    results.push(await apply(item));
  }
  return results;
}
