/** A difference of the clocks below this is the rounding of the wall clock to milliseconds. */
const toleranceMs = 2;

let offsetMs = Date.now() - performance.now();

/**
 * Microseconds since the epoch of a moment of the monotonic clock (`performance.now`). Follows the wall clock where
 * that is set, and goes on evenly otherwise.
 */
export function epochMicroseconds(monotonicMs: number): number {
  const offset = Date.now() - performance.now();
  if (Math.abs(offset - offsetMs) > toleranceMs) offsetMs = offset;
  return Math.round((monotonicMs + offsetMs) * 1000);
}
