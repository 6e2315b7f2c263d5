import type { BackendReporter } from './backend-reporter.ts';
import { controlStreamPath } from './control-stream.ts';
import { internalListener } from './listeners/internal-listener.ts';
import type { ProcessBody } from './process-link.ts';
import { closeServerBase, type ServerBase } from './server-base.ts';
import { startApiServer, type ApiServerStart } from './start-api-server.ts';

export interface BackendStart extends Omit<ApiServerStart, 'listeners' | 'name'> {
  readonly name: 'core' | 'extensions';
  /** Tells the gateways what is served here. */
  readonly reporter: BackendReporter;
  /** Stops what works in the background; called when the end begins. */
  readonly stopWork: () => void;
  /** Closes what requests need; called when the last one has been served. */
  readonly close: () => void;
}

/**
 * Serves the gateways on the internal listener, from when every check of /readyz has passed. At the end the gateways
 * are told first, and what they sent before is served.
 */
export async function startBackend(base: ServerBase, start: BackendStart): Promise<ProcessBody> {
  const { reporter, stopWork, close, ...rest } = start;
  base.mux.handle(controlStreamPath, reporter.source.handler);
  const listeners = [internalListener(base.options, base.sockets[start.name])];
  const server = await startApiServer(base, { ...rest, listeners });
  await reporter.untilReady();
  return {
    unused: () => server.unused(),
    async shutdown() {
      stopWork();
      await reporter.drain();
      await server.shutdown();
      reporter.close();
      start.authorization.close();
      close();
    },
    disconnect: () => closeServerBase(base),
  };
}
