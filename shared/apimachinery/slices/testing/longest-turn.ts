/** Processor time of this thread in ms: other work of the machine does not count. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Runs work; returns its result, and the processor time in ms of the longest turn of the event loop and of all turns
 * meanwhile.
 */
export async function longestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly longestMs: number; readonly totalMs: number }> {
  let going = true;
  let longestMs = 0;
  const began = threadMs();
  let last = began;
  const lap = (): void => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (going) setImmediate(lap);
  };
  setImmediate(lap);
  const value = await work();
  going = false;
  const end = threadMs();
  return { value, longestMs: Math.max(longestMs, end - last), totalMs: end - began };
}
