import { inSlices, type Steps } from '../slices.ts';

/** Runs steps in slices: what they come to, and the turns of the event loop that others got meanwhile. */
export async function turnsDuring<T>(steps: Steps<T>): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const value = await inSlices(steps);
  running = false;
  return { value, turns };
}
