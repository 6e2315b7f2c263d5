import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** From the first to the last index, both included. */
type Interval = readonly [first: number, last: number];

/** Thrown for indexes that cannot be parsed, with the reference's message. */
export class IndexesError extends Error {
  override readonly name = 'IndexesError';
}

function parseIndex(text: string, completions: number): number {
  if (!/^[+-]?\d+$/.test(text)) throw new IndexesError(`cannot convert string to integer for index: ${goQuote(text)}`);
  if (Number(text) >= completions) throw new IndexesError(`too large index: ${goQuote(text)}`);
  return Number(text);
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2)
    throw new IndexesError(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  const first = parseIndex(limits[0] ?? '', completions);
  if (limits[1] === undefined) return [first, first];
  const last = parseIndex(limits[1], completions);
  if (first >= last) throw new IndexesError(`non-increasing order, previous: ${first}, current: ${last}`);
  return [first, last];
}

/**
 * How many indexes `0,2-4` names (pkg/apis/batch/validation).
 * @throws IndexesError
 */
export function countIndexes(text: string, completions: number): number {
  if (text === '') return 0;
  let [total, previous] = [0, -1];
  for (const part of text.split(',')) {
    const [first, last] = parseInterval(part, completions);
    if (previous >= first) throw new IndexesError(`non-increasing order, previous: ${previous}, current: ${first}`);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** The first index that both texts contain; parts that cannot be parsed are skipped. */
export function firstCommonIndex(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [readable(a, completions), readable(b, completions)];
  const meetsOther = meets(right);
  const met = left.find(meetsOther);
  const other = met && right.find(([first, last]) => first <= met[1] && met[0] <= last);
  return other && Math.max(met[0], other[0]);
}

/** Returns a function that finds out whether an interval has an index in common with one of these. */
function meets(intervals: readonly Interval[]): (interval: Interval) => boolean {
  const sorted = intervals.toSorted(([a], [b]) => a - b);
  /** For each interval, the last index of it and those before it. */
  const ends: number[] = [];
  for (const [, last] of sorted) ends.push(Math.max(last, ends.at(-1) ?? last));
  return ([first, last]) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.[0] ?? 0) <= last) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (ends[low - 1] ?? first) >= first;
  };
}

function readable(text: string, completions: number): Interval[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    try {
      return [parseInterval(part, completions)];
    } catch (error) {
      if (error instanceof IndexesError) return [];
      throw error;
    }
  });
}
