import { readFileSync } from 'node:fs';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parseReference, UrlError } from '#shared/cel/libraries/url/parse.ts';
import { readsUidHeaders } from './feature-gates.ts';
import { flagName } from './flag-set.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Errors of the flags of service accounts (pkg/kubeapiserver/options/authentication.go) and of request headers
 * (apiserver/pkg/server/options/authentication.go).
 */
export function authenticationErrors(options: ServerOptions): string[] {
  return [...issuerErrors(options), ...keySetErrors(options), ...expirationErrors(options), ...headerErrors(options)];
}

function issuerErrors({ serviceAccountIssuer }: ServerOptions): string[] {
  const seen = new Set<string>();
  return serviceAccountIssuer.flatMap((issuer) => {
    const fault = issuer.includes(':') ? urlFault(issuer) : undefined;
    if (fault !== undefined)
      return [`service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${fault}`];
    if (issuer === '') return ['service-account-issuer should not be an empty string'];
    if (seen.has(issuer)) return [`service-account-issuer ${goQuote(issuer)} is already specified`];
    seen.add(issuer);
    return [];
  });
}

function keySetErrors({ serviceAccountJwksUri: uri }: ServerOptions): string[] {
  if (uri === '') return [];
  const fault = urlFault(uri);
  if (fault !== undefined) return [`service-account-jwks-uri must be a valid URL: ${fault}`];
  return /^https:/i.test(uri) ? [] : [`service-account-jwks-uri requires https scheme, parsed as: ${uri}`];
}

/** Why Go cannot parse a URL. */
function urlFault(text: string): string | undefined {
  try {
    atOnce(parseReference(text));
    return undefined;
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}

function expirationErrors({ serviceAccountMaxTokenExpiration: ms }: ServerOptions): string[] {
  if (ms === 0 || (ms >= 3_600_000 && ms <= 2 ** 32 * 1000)) return [];
  return ['the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'];
}

function headerErrors(options: ServerOptions): string[] {
  const readsUids = readsUidHeaders(options);
  const lists = [
    'requestheaderUsernameHeaders',
    'requestheaderGroupHeaders',
    'requestheaderExtraHeadersPrefix',
    'requestheaderAllowedNames',
    ...(readsUids ? (['requestheaderUidHeaders'] as const) : []),
  ] as const;
  const errors = lists
    .filter((key) => options[key].some((value) => value.trim() === ''))
    .map((key) => `empty value in ${goQuote(flagName(key))}`);
  const uids = options.requestheaderUidHeaders;
  if (uids.length > 0 && !readsUids)
    errors.push('--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled');
  else if (uids.length > 0 && !uids.some((header) => header.toLowerCase() === 'x-remote-uid'))
    errors.push(
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
    );
  if (letsClientsName(options))
    errors.push(
      '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users',
    );
  return errors;
}

/** Whether any client certificate could name another user, as a front proxy needs no more than the same authority. */
function letsClientsName(options: ServerOptions): boolean {
  const { clientCaFile, requestheaderClientCaFile, requestheaderAllowedNames } = options;
  if (clientCaFile === '' || requestheaderClientCaFile === '' || requestheaderAllowedNames.length > 0) return false;
  const [clients, proxies] = [certificatesIn(clientCaFile), certificatesIn(requestheaderClientCaFile)];
  return !clients.isDisjointFrom(proxies);
}

/** The certificates of a file in PEM form, without line breaks; none of a file that cannot be read. */
function certificatesIn(file: string): Set<string> {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return new Set();
  }
  const blocks = text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g);
  return new Set([...blocks].map(([, body = '']) => body.replaceAll(/\s/g, '')));
}
