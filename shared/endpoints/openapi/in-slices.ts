import { setImmediate } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop, in ms. */
const sliceMs = 3;

/** Runs a generator to its end in slices, so that other requests are served meanwhile; answers what it returns. */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  let started = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < sliceMs) continue;
    await setImmediate();
    started = performance.now();
  }
}
