import type { Backends } from '#gateway/backends/open-backends.ts';
import type { DebugPages } from '#shared/observability/profiles/debug-page.ts';
import { openDebugSocket } from '#shared/process/debug/debug-socket.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import { ownDebugPages } from '#shared/server/profiling-pages.ts';
import { processProfiles } from './process-profiles.ts';
import { logLevelSetter } from './set-log-level.ts';

/** The gateway's pages for debugging, which reach all processes; also on the socket of `--debug-socket-path`. */
export function openDebugPages(
  { options, logger, sockets }: ServerDependencies,
  { core, extensions }: Backends,
): DebugPages {
  const pools = [core.pool, extensions.pool];
  const own = ownDebugPages(options, logger.levels, logLevelSetter(pools));
  const pages = processProfiles({ own, pools, socket: sockets.gateway });
  if (options.debugSocketPath !== '')
    openDebugSocket(options.debugSocketPath, pages, (error) =>
      logger.error('the socket of --debug-socket-path cannot be opened', error),
    );
  return pages;
}
