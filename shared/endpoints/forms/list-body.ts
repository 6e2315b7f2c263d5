import type { CacheEntry } from '../../watchcache/watch-cache.ts';
import { nextSlice } from '../../apimachinery/slices.ts';

/** A stretch of entries whose bytes many answers have in common. */
export interface BodyRun {
  readonly entries: readonly CacheEntry[];
  /** The bytes; made when they are wanted. */
  chunks(): Uint8Array[];
}

/** What the bytes of a run follow from, beside its entries. */
export interface RunForm {
  /** Names the form of the runs: entries that are the same have the same bytes in the same form. */
  readonly formId: string;
  /** Runs of another stamp are other bytes: ages move on with the seconds. 0 for bytes that never change. */
  readonly stamp: number;
}

/** The body of a list: what is particular to this answer, and what is not. */
export interface ListBody extends RunForm {
  readonly head: readonly Uint8Array[];
  readonly between: Uint8Array;
  readonly runs: readonly BodyRun[];
  readonly tail: readonly Uint8Array[];
}

const shortestRun = 8;
const longestRun = 128;
/** On average a run ends after so many more entries. */
const boundaryMask = 31;

/**
 * Cuts a list into runs. Where a run ends follows from its last entry, so that one change among thousands of entries
 * leaves all runs but its own as they were, wherever the list began.
 */
export function runsOf(entries: readonly CacheEntry[], chunks: (entries: readonly CacheEntry[]) => Uint8Array[]): BodyRun[] {
  const runs: BodyRun[] = [];
  let start = 0;
  for (let at = 0; at < entries.length; at++) {
    const length = at + 1 - start;
    const isBoundary = length >= shortestRun && ((entries[at] as CacheEntry).revision & boundaryMask) === 0;
    if (!isBoundary && length < longestRun && at < entries.length - 1) continue;
    const members = entries.slice(start, at + 1);
    let made: Uint8Array[] | undefined;
    runs.push({ entries: members, chunks: () => (made ??= chunks(members)) });
    start = at + 1;
  }
  return runs;
}

/** Making the bytes of runs lets others run after this time. */
const sliceMs = 4;

/** Makes the bytes of runs, slice by slice: thousands of objects in a form that nobody asked for lately take long. */
export async function makeRuns(runs: readonly BodyRun[], isKnown: (run: BodyRun) => boolean): Promise<void> {
  if (runs.length < 2) return;
  let end = 0;
  for (const run of runs) {
    if (isKnown(run)) continue;
    if (performance.now() > end) {
      await nextSlice();
      end = performance.now() + sliceMs;
    }
    run.chunks();
  }
}

/** The body in order, as it is. */
export function listBodyChunks(body: ListBody): Uint8Array[] {
  const chunks: Uint8Array[] = [...body.head];
  for (const [index, run] of body.runs.entries()) {
    if (index > 0 && body.between.length > 0) chunks.push(body.between);
    for (const chunk of run.chunks()) chunks.push(chunk);
  }
  for (const chunk of body.tail) chunks.push(chunk);
  return chunks;
}
