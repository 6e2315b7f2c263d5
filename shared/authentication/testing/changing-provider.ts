import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Provider, ProviderAnswer } from '#shared/authentication/oidc/provider-client.ts';

/** A key pair of a provider, with its id. */
export interface ProviderPair {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export function makePair(keyId: string): ProviderPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { keyId, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid: keyId } };
}

/** A signed token (ES256). The header may name another key, or none. */
export function signedBy({ privateKey, keyId }: ProviderPair, claims: object, header: object = { kid: keyId }): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'ES256', ...header })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** A provider whose keys, headers and readiness change. */
export class ChangingProvider implements Provider {
  readonly issuer: string;
  readonly asked: string[] = [];
  keys: readonly ProviderPair[] = [];
  headers: IncomingHttpHeaders = {};
  isAway = false;
  /** Holds answers back until it resolves. */
  gate: Promise<unknown> = Promise.resolve();
  isClosed = false;
  readonly #closing = Promise.withResolvers<void>();

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  async get(address: string): Promise<ProviderAnswer> {
    this.asked.push(address);
    await Promise.race([this.gate, this.#closing.promise]);
    if (this.isAway || this.isClosed) throw new Error('the provider is away');
    const body = address.endsWith('/keys')
      ? { keys: this.keys.map(({ publicJwk }) => publicJwk) }
      : { issuer: this.issuer, jwks_uri: `${this.issuer}/keys` };
    return { status: 200, statusText: '200 OK', headers: this.headers, body: JSON.stringify(body) };
  }

  close(): void {
    this.isClosed = true;
    this.#closing.resolve();
  }
}
