import type { ServerBase } from '../../shared/process/server-base.ts';
import { backendAddresses, gatewayCredentials } from './backend-addresses.ts';
import { BackendSet } from './backends.ts';

/** The servers behind this gateway. */
export interface Backends {
  readonly core: BackendSet;
  readonly extensions: BackendSet;
  /** Forgets the files of the gateway's own certificate. */
  closeCredentials(): void;
}

/** Begins to listen to the servers that the flags name, or to those of this machine. */
export function openBackends({ options, sockets, health, reportError }: ServerBase): Backends {
  const credentials = gatewayCredentials(options);
  const open = (name: 'core' | 'extensions', flag: readonly string[]): BackendSet =>
    new BackendSet({
      name,
      addresses: backendAddresses(flag, sockets[name]),
      credentials,
      health,
      onError: reportError,
    });
  return {
    core: open('core', options.coreServers),
    extensions: open('extensions', options.extensionsServers),
    closeCredentials: () => credentials?.close(),
  };
}
