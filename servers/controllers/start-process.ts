import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usingFile } from '#shared/files/unusable-file.ts';
import { limitErrorRate } from '#shared/observability/limit-error-rate.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { pkiPaths, type ProcessOptions } from '#shared/process/data-directory.ts';
import type { ProcessBody } from '#shared/process/end-gracefully.ts';
import { ownServerOptions } from '#shared/server/assembly/own-server-options.ts';
import { openLogger } from '#shared/server/open-logger.ts';
import { chosenControllers } from '#shared/server/options/controller-flags.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { OwnServer } from '#shared/webhooks/own-server.ts';
import { ApiClient } from './client/api-client.ts';
import { managerUser } from './client/controller-user.ts';
import { untilGatewayReady } from './client/until-gateway-ready.ts';
import { startControllers, type RunningControllers } from './start-controllers.ts';

/**
 * Starts the controllers of `--controllers` beside a gateway of this machine.
 * @throws UnusableFileError for certificates that cannot be read
 */
export function startControllersFor(process: ProcessOptions, more: ControllersPlace = {}): RunningControllers {
  const { server: options } = process;
  const { followsAll = true, logger = openLogger(options) } = more;
  return startControllers({
    names: chosenControllers(options.controllers),
    server: gatewayOf(process),
    rootBundle: rootBundle(options),
    followsAll,
    reportError: limitErrorRate((message, error) => logger.error(message, error)),
  });
}

/** What differs from a process of its own. */
export interface ControllersPlace {
  /** Default: true. */
  readonly followsAll?: boolean;
  readonly logger?: Logger;
}

/** The gateway of this machine. */
export function gatewayOf({ server: options, sockets }: ProcessOptions): OwnServer {
  const own = ownServerOptions(options, sockets.gateway);
  return new OwnServer({ ...own, distant: { ...own.distant, addresses: async () => [] } });
}

/** Starts them when a gateway is ready, which may be after this process. */
export function startControllersProcess(process: ProcessOptions): ProcessBody {
  const { server: options } = process;
  const logger = openLogger(options);
  const ending = new AbortController();
  const server = gatewayOf(process);
  const client = new ApiClient(server, managerUser, 'quarterdeck-controllers');
  const started = untilGatewayReady(client, ending.signal, (error) =>
    logger.error('the controllers wait for a gateway', error),
  ).then(
    () => {
      server.close();
      return startControllersFor(process, { logger });
    },
    (error: unknown) => {
      if (!ending.signal.aborted) throw error;
    },
  );
  const close = async (): Promise<void> => {
    ending.abort();
    (await started)?.close();
  };
  return { shutdown: close, disconnect: close, details: { controllers: chosenControllers(options.controllers) } };
}

/** As in the administrator's kubeconfig: a serving certificate of the user's own is trusted as it is. */
function rootBundle({ dataDir, tlsCertFile }: ServerOptions): string {
  const pki = pkiPaths(join(dataDir, 'pki'));
  const files = [pki.caCert, ...(tlsCertFile === pki.servingCert ? [] : [tlsCertFile])];
  return files.map((file) => usingFile(file, () => readFileSync(file, 'utf8'))).join('');
}
