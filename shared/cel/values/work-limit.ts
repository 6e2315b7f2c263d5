import type { Steps } from '../../apimachinery/slices.ts';

/** Values that are processed between two checks of the clock. */
const batch = 1024;

let done = 0;
let batchesLeft = Number.POSITIVE_INFINITY;
let batchesSpent = 0;

/** Thrown when work that cannot pause becomes too much. */
export class TooMuchWork extends Error {}

const tooMuchWork = new TooMuchWork();

/**
 * Longest text that a function makes of others. Joining so much costs more than a call may; of what `replace` makes
 * costs tell nothing.
 */
const longestText = 16 * 1024 * 1024;

/** Before a text of so many UTF-16 units is made. @throws TooMuchWork */
export function limitText(length: number): void {
  if (length > longestText) throw tooMuchWork;
}

/**
 * What a function may do in one go, in batches of 1,024 values (each some 40 µs); without a limit, everything. Holds
 * until it is set again.
 */
export function limitWork(batches: number): void {
  batchesLeft = batches;
  batchesSpent = 0;
}

/** Batches used since the limit was set. */
export function workSpent(): number {
  return batchesSpent;
}

/**
 * Counts a value that was compared or copied: work that costs do not tell, as they only know the outermost size. True
 * where steps should yield.
 */
export function countWork(): boolean {
  return (++done & (batch - 1)) === 0;
}

/** A batch was done in one go. @throws TooMuchWork */
export function spendBatch(): void {
  if (++batchesSpent > batchesLeft) throw tooMuchWork;
}

/** Runs steps that yield once a batch without a pause. @throws TooMuchWork */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    spendBatch();
  }
}
