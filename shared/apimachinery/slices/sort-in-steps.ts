import { isSliced, sliceIsOver, type Steps } from './slices.ts';

/** Number of items that are sorted without yielding: a millisecond of work. */
const runLength = 2000;

/**
 * Stable sort in place, as `Array.prototype.sort`; long lists are sorted in slices, by merging sorted runs.
 */
export function* sortInSteps<T>(list: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (list.length <= runLength || !isSliced()) return list.sort(compare);
  let runs: T[][] = [];
  for (let at = 0; at < list.length; at += runLength) {
    runs.push(list.slice(at, at + runLength).sort(compare));
    if (sliceIsOver()) yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  const [sorted = []] = runs;
  for (let i = 0; i < sorted.length; i++) list[i] = sorted[i] as T;
  return list;
}

function* merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const out: T[] = [];
  let j = 0;
  for (const item of a) {
    while (j < b.length && compare(b[j] as T, item) < 0) out.push(b[j++] as T);
    out.push(item);
    if (sliceIsOver()) yield;
  }
  while (j < b.length) out.push(b[j++] as T);
  return out;
}

/** The order of `Array.prototype.sort` without a compare function. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
