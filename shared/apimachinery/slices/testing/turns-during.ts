import { paced, type Steps } from '#shared/apimachinery/slices/slices.ts';

/** Far shorter than a server's slices, so that work which takes a few milliseconds has several slices. */
const sliceMs = 0.2;

/** Runs steps in short slices; returns their result, and how many turns of the event loop other work got meanwhile. */
export async function turnsDuring<T>(steps: Steps<T>): Promise<{ readonly value: T; readonly turns: number }> {
  const slices = paced(steps, sliceMs, undefined);
  let turns = 0;
  for (let end = performance.now() + sliceMs; ;) {
    const slice = slices.next();
    if (slice.done === true) return { value: slice.value, turns };
    if (performance.now() < end) continue;
    turns++;
    await new Promise((resolve) => setImmediate(resolve));
    end = performance.now() + sliceMs;
  }
}
