import type { ServerOptions } from '../server/options/server-options.ts';

const marginMs = 10_000;

/** How long a process may take to end in order by its options, in milliseconds. */
export function endPatienceMs(options: ServerOptions): number {
  return (
    options.shutdownDelayDuration + options.requestTimeout + options.shutdownWatchTerminationGracePeriod + marginMs
  );
}
