import { parseBackendAddress, type BackendAddress } from '../../shared/server/options/backend-address.ts';
import type { GatewayCredentials } from '../../shared/process/link/dial.ts';
import { ReloadedFiles } from '../../shared/process/link/reloaded-files.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';

/** Addresses that a flag names, or the socket of this machine. Texts were judged with the flags. */
export function backendAddresses(flag: readonly string[], socketPath: string): BackendAddress[] {
  if (flag.length === 0) return [{ kind: 'unix', path: socketPath }];
  return flag.flatMap((text) => parseBackendAddress(text) ?? []);
}

/** What the gateway shows to backends of other machines; undefined where all are on this one. */
export function gatewayCredentials(options: ServerOptions): GatewayCredentials | undefined {
  const remote = [...options.coreServers, ...options.extensionsServers].some(
    (text) => parseBackendAddress(text)?.kind === 'tcp',
  );
  const { requestheaderClientCaFile: ca, proxyClientCertFile: cert, proxyClientKeyFile: key } = options;
  return remote ? new ReloadedFiles({ ca, cert, key }) : undefined;
}
