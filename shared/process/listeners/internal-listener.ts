import { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import type { OpenListener } from '#shared/server/exchange/listener.ts';
import { parseBackendAddress } from '#shared/server/options/backend-address.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { unixListener } from './unix-listener.ts';

/**
 * The listener on which a backend accepts requests of gateways; `socketPath` is used without
 * `--internal-listen-address`.
 */
export function internalListener(options: ServerOptions, socketPath: string): OpenListener {
  const address =
    options.internalListenAddress === ''
      ? { kind: 'unix' as const, path: socketPath }
      : parseBackendAddress(options.internalListenAddress);
  if (address === undefined)
    throw new TypeError(
      `--internal-listen-address: ${JSON.stringify(options.internalListenAddress)} is neither unix:///path nor address:port`,
    );
  if (address.kind === 'unix') return unixListener(address.path);
  const files = new ReloadedFiles({
    ca: options.requestheaderClientCaFile,
    cert: options.internalCertFile,
    key: options.internalKeyFile,
  });
  const { host, port } = address;
  const mutualTls = { host, port, files, allowedNames: options.requestheaderAllowedNames };
  // The TLS modules of Node.js are loaded only if TLS is used.
  return async (onExchange) => (await import('./mutual-tls-listener.ts')).listenMutualTls(mutualTls, onExchange);
}
