import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/** How many values are processed between two checks of the clock. */
const batch = 1024;

let done = 0;
let batchesLeft = Number.POSITIVE_INFINITY;
let batchesSpent = 0;

/** Thrown when work that cannot pause exceeds its limit. */
export class WorkLimitExceeded extends Error {}

const tooMuchWork = new WorkLimitExceeded();

/**
 * The longest text that a function builds. A longer join would exceed the cost limit anyway, but the cost of `replace`
 * does not depend on the length of its result.
 */
const longestText = 16 * 1024 * 1024;

/** Checks the length of a text, in UTF-16 units, before it is built. @throws WorkLimitExceeded */
export function limitText(length: number): void {
  if (length > longestText) throw tooMuchWork;
}

/**
 * Sets how many batches of 1,024 values (about 40 µs each) may be processed without a pause; initially there is no
 * limit. The limit applies until it is set again.
 */
export function limitWork(batches: number): void {
  batchesLeft = batches;
  batchesSpent = 0;
}

/** The batches that were processed since the limit was set. */
export function workSpent(): number {
  return batchesSpent;
}

/**
 * Counts a value that was compared or copied, as costs include only the outermost size of lists and maps. Returns true
 * once per batch, when steps should yield.
 */
export function countWork(): boolean {
  return (++done & (batch - 1)) === 0;
}

/** Counts a batch that was processed without a pause. @throws WorkLimitExceeded */
export function spendBatch(): void {
  if (++batchesSpent > batchesLeft) throw tooMuchWork;
}

/** Runs steps that yield once per batch to their end, without pauses. @throws WorkLimitExceeded */
export function inOneTurn<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    spendBatch();
  }
}
