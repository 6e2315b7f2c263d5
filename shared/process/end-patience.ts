import type { ServerOptions } from '#shared/server/options/server-options.ts';

const marginMs = 10_000;

/** How long a graceful shutdown may take with these options, in milliseconds. */
export function endPatienceMs(options: ServerOptions): number {
  return (
    options.shutdownDelayDuration + options.requestTimeout + options.shutdownWatchTerminationGracePeriod + marginMs
  );
}
