import { atOnce, inSlices, nextSlice, type Steps } from '../apimachinery/slices.ts';

/** Of objects with more bytes each step of a write (parse, admit, validate, print) gets a turn of the event loop. */
const largeBytes = 64 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes > largeBytes;
}

/** Runs a part of a write: of a large object in slices. */
export function runSteps<T>(steps: Steps<T>, large: boolean): T | Promise<T> {
  return large ? inSlices(steps) : atOnce(steps);
}

/** Stands between two steps of a write. */
export async function betweenSteps(large: boolean): Promise<void> {
  if (large) await nextSlice();
}
