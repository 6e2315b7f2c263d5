import type { ApiServer } from '#shared/server/create-api-server.ts';
import type { BackendReporter } from './backend-reporter.ts';
import { controlStreamPath } from './control-stream.ts';
import type { ProcessBody } from './end-gracefully.ts';
import { internalListener } from './listeners/internal-listener.ts';
import { closeServerDependencies, type ServerDependencies } from './server-dependencies.ts';
import { tellObjectCounts } from './tell-object-counts.ts';

export interface BackendStart {
  readonly name: 'core' | 'extensions';
  /** Reports to the gateways what this backend serves. */
  readonly reporter: BackendReporter;
  /** Stops background work; called when the shutdown begins. */
  readonly stopWork: () => void;
}

/**
 * Serves the gateways on the internal listener as soon as every check of /readyz has passed. On shutdown the gateways
 * are notified first, and the requests that they sent before are served.
 */
export async function startBackend(
  dependencies: ServerDependencies,
  server: ApiServer,
  { name, reporter, stopWork }: BackendStart,
): Promise<ProcessBody> {
  dependencies.mux.handle(controlStreamPath, reporter.source.handler);
  const running = await server.listen([internalListener(dependencies.options, dependencies.sockets[name])]);
  await reporter.untilReady();
  const { objectCounts } = server;
  const teller =
    objectCounts &&
    tellObjectCounts(reporter.source, objectCounts, (error) =>
      dependencies.reportError('objects are not counted', error),
    );
  return {
    unused: () => running.unused(),
    async shutdown() {
      stopWork();
      void teller?.close();
      await reporter.drain();
      await running.shutdown();
      await dependencies.tracing?.flush();
      reporter.close();
    },
    disconnect: () => closeServerDependencies(dependencies),
  };
}
