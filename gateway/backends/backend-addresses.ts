import type { GatewayCredentials } from '#shared/process/link/dial.ts';
import { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import { parseBackendAddress, type BackendAddress } from '#shared/server/options/backend-address.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** The addresses in a flag, or the local socket if the flag is empty. The flag was validated before. */
export function backendAddresses(flag: readonly string[], socketPath: string): BackendAddress[] {
  if (flag.length === 0) return [{ kind: 'unix', path: socketPath }];
  return flag.flatMap((text) => parseBackendAddress(text) ?? []);
}

/** The gateway's TLS credentials for backends on other machines; undefined if all backends are local. */
export function gatewayCredentials(options: ServerOptions): GatewayCredentials | undefined {
  const remote = [...options.coreServers, ...options.extensionsServers].some(
    (text) => parseBackendAddress(text)?.kind === 'tcp',
  );
  const { requestheaderClientCaFile: ca, proxyClientCertFile: cert, proxyClientKeyFile: key } = options;
  return remote ? new ReloadedFiles({ ca, cert, key }) : undefined;
}
