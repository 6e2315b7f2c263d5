import type { ToldObjects } from '#shared/process/control-stream.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import { backendAddresses, gatewayCredentials } from './backend-addresses.ts';
import { BackendSet } from './backends.ts';

/** The servers behind this gateway. */
export interface Backends {
  readonly core: BackendSet;
  readonly extensions: BackendSet;
  /** Closes the connections to the backends, and stops watching the files of the gateway's own certificate. */
  close(): void;
}

/** Connects to the servers that the flags name, or to the local ones. @param onObjects see `BackendSetOptions` */
export function openBackends(
  { options, sockets, health, reportError }: ServerDependencies,
  onObjects?: (told: ToldObjects) => void,
): Backends {
  const credentials = gatewayCredentials(options);
  const open = (name: 'core' | 'extensions', flag: readonly string[]): BackendSet =>
    new BackendSet({
      name,
      addresses: backendAddresses(flag, sockets[name]),
      credentials,
      health,
      onError: reportError,
      onObjects,
    });
  const [core, extensions] = [open('core', options.coreServers), open('extensions', options.extensionsServers)];
  return {
    core,
    extensions,
    close() {
      core.close();
      extensions.close();
      credentials?.close();
    },
  };
}
