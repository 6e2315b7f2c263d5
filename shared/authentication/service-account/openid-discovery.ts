import type { Exchange } from '#shared/request/exchange.ts';
import type { Handler } from '#shared/request/request-context.ts';
import type { KeySource } from './key-source.ts';
import type { VerificationKey } from './signing-keys.ts';

export const openidConfigurationPath = '/.well-known/openid-configuration';
export const jwksPath = '/openid/v1/jwks';

/** The two documents with which other parties verify service-account tokens (pkg/serviceaccount/openidmetadata.go). */
export function openidHandlers(
  issuer: string,
  jwksUri: string,
  keys: KeySource,
): { configuration: Handler; jwks: Handler } {
  let documents = documentsOf(issuer, jwksUri, keys.published);
  const send = (exchange: Exchange, name: 'configuration' | 'jwks', type: string): void => {
    if (documents.of !== keys.published) documents = documentsOf(issuer, jwksUri, keys.published);
    const headers = { 'cache-control': `public, max-age=${keys.maxAgeSeconds}`, 'content-type': type };
    exchange.send(200, headers, documents[name]);
  };
  return {
    configuration: ({ exchange }) => send(exchange, 'configuration', 'application/json'),
    jwks: ({ exchange }) => send(exchange, 'jwks', 'application/jwk-set+json'),
  };
}

function documentsOf(
  issuer: string,
  jwksUri: string,
  keys: readonly VerificationKey[],
): { readonly of: readonly VerificationKey[]; readonly configuration: string; readonly jwks: string } {
  const configuration = JSON.stringify({
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map((key) => key.algorithm))].sort(),
  });
  return { of: keys, configuration, jwks: JSON.stringify({ keys: keys.map(publicJwk) }) };
}

function publicJwk(key: VerificationKey): Record<string, string | undefined> {
  const { kty, crv, x, y, n, e } = key.publicKey.export({ format: 'jwk' });
  const head = { use: 'sig', kty, kid: key.keyId };
  return kty === 'EC' ? { ...head, crv, alg: key.algorithm, x, y } : { ...head, alg: key.algorithm, n, e };
}
