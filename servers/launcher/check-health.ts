import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { encodeIdentity, ownIdentity } from '#shared/authentication/hop-identity.ts';
import { withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { dialer } from '#shared/process/link/dial.ts';
import { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import { parseBackendAddress } from '#shared/server/options/backend-address.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { type ServerOptions } from '#shared/server/options/server-options.ts';
import { reachableAddress } from './serving-hosts.ts';

const withinMs = 5_000;
const path = '/readyz';

/**
 * Runs `quarterdeck health` with the flags of a server: checks that server's /readyz, for health checks of containers.
 * The exit code is 0 if the server is ready, otherwise 1 with the reason on stderr.
 */
export async function checkHealth(argv: readonly string[]): Promise<void> {
  const parsed = parseServerOptions(argv);
  if (parsed.answer !== undefined) return void process.stdout.write(parsed.answer);
  let reason = parsed.errors.join('; ');
  if (reason === '')
    reason = await askForReadiness(withDataDirectoryDefaults(parsed.options, parsed.given)).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
  if (reason === '') return;
  process.stderr.write(`not ready: ${reason}\n`);
  process.exitCode = 1;
}

/** Resolves with the reason why the server is not ready; empty if it is. */
function askForReadiness(options: ServerOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = options.internalListenAddress === '' ? askGateway(options) : askBackend(options);
    request.on('response', (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => (text += more));
      response.on('end', () => resolve(response.statusCode === 200 ? '' : text));
    });
    request.on('error', reject);
    request.setTimeout(withinMs, () => request.destroy(new Error(`no answer within ${withinMs} ms`)));
    request.end();
  });
}

/**
 * Requests /readyz of the gateway. Anonymous access is allowed; the certificate is not verified, as it may be for other
 * names than this address.
 */
function askGateway({ bindAddress, securePort }: ServerOptions): ClientRequest {
  const host = reachableAddress(bindAddress);
  return httpsRequest({ host, port: securePort, path, agent: false, rejectUnauthorized: false });
}

/** Requests /readyz of a backend with the credentials of a gateway. */
function askBackend(options: ServerOptions): ClientRequest {
  const address = parseBackendAddress(
    options.internalListenAddress.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^\[::\]:/, '[::1]:'),
  );
  if (address === undefined)
    throw new TypeError(`--internal-listen-address: ${JSON.stringify(options.internalListenAddress)} is no address`);
  const files = {
    ca: options.requestheaderClientCaFile,
    cert: options.proxyClientCertFile,
    key: options.proxyClientKeyFile,
  };
  const identity = encodeIdentity(ownIdentity.user);
  const dial = dialer(address, new ReloadedFiles(files));
  return httpRequest({
    createConnection: () => dial(),
    path,
    setHost: false,
    headers: ['host', 'localhost', ...identity],
  });
}
