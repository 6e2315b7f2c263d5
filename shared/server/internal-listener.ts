import type { ServerOptions } from './options/server-options.ts';
import type { ListenerConfig } from './start-server.ts';
import { parseBackendAddress } from './link/backend-address.ts';
import { ReloadedFiles } from './link/reloaded-files.ts';

/** Where a backend takes requests of gateways by its options; `socketPath` without `--internal-listen-address`. */
export function internalListener(options: ServerOptions, socketPath: string): ListenerConfig {
  const address =
    options.internalListenAddress === ''
      ? { kind: 'unix' as const, path: socketPath }
      : parseBackendAddress(options.internalListenAddress);
  if (address === undefined)
    throw new TypeError(
      `--internal-listen-address: ${JSON.stringify(options.internalListenAddress)} is neither unix:///path nor address:port`,
    );
  if (address.kind === 'unix') return address;
  const files = new ReloadedFiles({
    ca: options.requestheaderClientCaFile,
    cert: options.internalCertFile,
    key: options.internalKeyFile,
  });
  return {
    kind: 'mutual-tls',
    mutualTls: { host: address.host, port: address.port, files, allowedNames: options.requestheaderAllowedNames },
  };
}
