import { join } from 'node:path';
import type { ProcessOptions, ProcessSockets } from '#shared/process/data-directory.ts';
import { endPatienceMs } from '#shared/process/end-patience.ts';
import { formatBackendAddress } from '#shared/server/options/backend-address.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

export type ReplicatedProcess = 'core' | 'extensions' | 'gateway';

/**
 * The options of the processes that the launcher starts: each gets its own socket, and gateways get the sockets of all
 * backends.
 */
export class Replicas {
  readonly #options: ServerOptions;
  readonly #directory: string;
  readonly #sockets: ProcessSockets;
  readonly #gatewayParts: Pick<ProcessOptions, 'publicSocket'>;

  /** `directory` is the folder of the sockets; `publicSocket` is that of the gateways, where they do not open the port. */
  constructor(options: ServerOptions, directory: string, sockets: ProcessSockets, publicSocket?: number) {
    this.#options = options;
    this.#directory = directory;
    this.#sockets = sockets;
    this.#gatewayParts = publicSocket === undefined ? {} : { publicSocket };
  }

  of(name: ReplicatedProcess): ProcessOptions[] {
    const options = this.#options;
    if (name === 'gateway') {
      const server = {
        ...options,
        coreServers: [...this.#paths('core').map(addressOf), ...options.coreServers],
        extensionsServers: [...this.#paths('extensions').map(addressOf), ...options.extensionsServers],
        permitPortSharing: options.permitPortSharing || options.gatewayReplicas > 1,
      };
      return this.#paths(name).map((gateway, index) => ({
        server,
        sockets: { ...this.#sockets, gateway },
        instance: index + 1,
        ...this.#gatewayParts,
      }));
    }
    // `shutdownDelayDuration` gives clients time to notice a shutdown. A backend notifies its gateways instead, so it
    // needs none.
    const server = { ...options, shutdownDelayDuration: 0, internalListenAddress: '' };
    return this.#paths(name).map((path) => ({
      server,
      sockets: { ...this.#sockets, [name]: path },
      gatewaysEndWithinMs: endPatienceMs(options),
    }));
  }

  #paths(name: ReplicatedProcess): string[] {
    const count = {
      core: this.#options.coreReplicas,
      extensions: this.#options.extensionsReplicas,
      gateway: this.#options.gatewayReplicas,
    }[name];
    return Array.from({ length: count }, (_, index) =>
      index === 0 ? this.#sockets[name] : join(this.#directory, `${name}-${index + 1}.sock`),
    );
  }
}

function addressOf(path: string): string {
  return formatBackendAddress({ kind: 'unix', path });
}
