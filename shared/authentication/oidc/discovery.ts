import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';
import type { Provider } from './provider-client.ts';

/** No usable discovery document. The message is logged. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';
}

const wellKnown = '/.well-known/openid-configuration';

/**
 * Gets the address of a provider's keys from its discovery document (OpenID Connect Discovery 1.0), which must be the
 * document of this very issuer.
 * @param discoveryUrl where the document is; empty for its place below the issuer
 * @throws DiscoveryError (as a rejection)
 */
export async function discoverKeysUrl(client: Provider, issuer: string, discoveryUrl: string): Promise<string> {
  const address = discoveryUrl === '' ? issuer.replace(/\/$/, '') + wellKnown : discoveryUrl;
  const { status, statusText, body } = await client.get(address);
  if (status !== 200) throw new DiscoveryError(`${statusText}: ${body.slice(0, 1024)}`);
  const document = parse(body);
  const named = isObject(document) ? document['issuer'] : undefined;
  if (named !== issuer)
    throw new DiscoveryError(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(issuer)} got ${goQuote(typeof named === 'string' ? named : '')}`,
    );
  const keysUrl = isObject(document) ? document['jwks_uri'] : undefined;
  if (typeof keysUrl !== 'string' || keysUrl === '') throw new DiscoveryError('provider did not return JWKS URL');
  return keysUrl;
}

function parse(body: string): JsonValue {
  try {
    return safeParse(body) as JsonValue;
  } catch (error) {
    throw new DiscoveryError(`oidc: failed to decode provider discovery object: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
