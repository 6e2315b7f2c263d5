import { atOnce, inSlices, nextSlice, type Steps } from '../apimachinery/slices.ts';

/** From this size on, each step of a write (parse, admit, validate, print) gets its own turn of the event loop. */
const largeBytes = 64 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes > largeBytes;
}

/** Runs one step of a write, in slices if the object is large. */
export function runSteps<T>(steps: Steps<T>, large: boolean): T | Promise<T> {
  return large ? inSlices(steps) : atOnce(steps);
}

/** Lets other requests run between two steps of a write, if the object is large. */
export async function betweenSteps(large: boolean): Promise<void> {
  if (large) await nextSlice();
}
