import type { Handler } from '#shared/request/request-context.ts';
import type { VerificationKey } from './signing-keys.ts';

const cached = { 'cache-control': 'public, max-age=3600' };

export const openidConfigurationPath = '/.well-known/openid-configuration';
export const jwksPath = '/openid/v1/jwks';

/** The two documents with which other parties verify service-account tokens (pkg/serviceaccount/openidmetadata.go). */
export function openidHandlers(
  issuer: string,
  jwksUri: string,
  keys: readonly VerificationKey[],
): { configuration: Handler; jwks: Handler } {
  const configuration = JSON.stringify({
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map((key) => key.algorithm))].sort(),
  });
  const jwks = JSON.stringify({ keys: keys.map(publicJwk) });
  return {
    configuration: ({ exchange }) =>
      exchange.send(200, { ...cached, 'content-type': 'application/json' }, configuration),
    jwks: ({ exchange }) => exchange.send(200, { ...cached, 'content-type': 'application/jwk-set+json' }, jwks),
  };
}

function publicJwk(key: VerificationKey): Record<string, string | undefined> {
  const { kty, crv, x, y, n, e } = key.publicKey.export({ format: 'jwk' });
  const head = { use: 'sig', kty, kid: key.keyId };
  return kty === 'EC' ? { ...head, crv, alg: key.algorithm, x, y } : { ...head, alg: key.algorithm, n, e };
}
