import { atOnceUntilWait, nextSlice, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';

/** How the steps of a write (parse, admit, validate, print) share the event loop with other requests. */
export interface Pace {
  /** Whether other requests run between the steps. */
  readonly yields: boolean;
  /** Runs one step, in slices if this pace yields. */
  run<T>(steps: Steps<T>): T | Promise<T>;
  /** Between two steps: lets other requests run if this pace yields. */
  between(): void | Promise<void>;
}

/** For small objects: all steps run at once, unless they wait for a webhook. */
export const atOncePace: Pace = { yields: false, run: atOnceUntilWait, between() {} };

/** For large objects: each step runs in slices, in its own turns of the event loop. */
export const slicedPace: Pace = { yields: true, run: inRequestSlices, between: nextSlice };

const largeBytes = 64 * 1024;

/** The pace of a write by the size of its body, or of the object that it changes. */
export function paceOf(bytes: number): Pace {
  return bytes > largeBytes ? slicedPace : atOncePace;
}
