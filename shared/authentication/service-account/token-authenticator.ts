import type { JWTPayload } from 'jose';
import { AuthenticationError, type AuthenticationAnswer, type TokenAuthenticator } from '../authenticator.ts';
import type { ReadBoundObject } from './bound-objects.ts';
import { legacyIssuer } from './claims.ts';
import type { VerificationKey } from './signing-keys.ts';
import { checkBoundToken, checkLegacyToken } from './token-checks.ts';

export interface ServiceAccountTokenOptions {
  /** Accepted issuers of bound tokens. */
  readonly issuers: readonly string[];
  readonly keys: readonly VerificationKey[];
  /** The server's own audiences: what a token without any, or a request that asks for none, means. */
  readonly apiAudiences: readonly string[];
  /** Whether service account and secret must still be there for legacy tokens. */
  readonly lookup: boolean;
  readonly read: ReadBoundObject;
}

/** Service-account tokens, bound ones by issuer and legacy ones from secrets (pkg/serviceaccount/jwt.go). */
export class ServiceAccountTokenAuthenticator implements TokenAuthenticator {
  readonly #options: ServiceAccountTokenOptions;

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const issuer = unverifiedIssuer(token);
    if (issuer === undefined) return undefined;
    if (issuer === legacyIssuer) return this.#authenticate(token, audiences, true);
    return this.#options.issuers.includes(issuer) ? this.#authenticate(token, audiences, false) : undefined;
  }

  async #authenticate(token: string, audiences: readonly string[], legacy: boolean): Promise<AuthenticationAnswer> {
    const { apiAudiences, read, lookup } = this.#options;
    const claims = await this.#verify(token);
    const named = typeof claims.aud === 'string' ? [claims.aud] : (claims.aud ?? []);
    const own = named.length === 0 ? apiAudiences : named;
    const wanted = audiences.length === 0 ? apiAudiences : audiences;
    const matching = own.filter((audience) => wanted.includes(audience));
    if (matching.length === 0 && apiAudiences.length > 0) {
      throw new AuthenticationError(`token audiences ${JSON.stringify(own)} is invalid for the target audiences ${JSON.stringify(wanted)}`);
    }
    const user = legacy
      ? await checkLegacyToken(token, claims, lookup ? read : undefined)
      : await checkBoundToken(claims, read);
    return { user, audiences: matching };
  }

  /** Signature only: times are judged with the reference's leeway and words. */
  async #verify(token: string): Promise<JWTPayload> {
    const { compactVerify, decodeProtectedHeader } = await import('jose');
    let keyId: string | undefined;
    try {
      keyId = decodeProtectedHeader(token).kid;
    } catch {
      throw new AuthenticationError('malformed token header');
    }
    const candidates = keyId === undefined ? this.#options.keys : this.#options.keys.filter((key) => key.keyId === keyId);
    if (candidates.length === 0) throw new AuthenticationError('invalid signature, no keys found');
    for (const key of candidates) {
      try {
        const { payload } = await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] });
        return JSON.parse(Buffer.from(payload).toString('utf8')) as JWTPayload;
      } catch {
        // The next key may fit.
      }
    }
    throw new AuthenticationError('invalid signature');
  }
}

/** A cheap look, so that tokens of others do not cost a signature check. */
function unverifiedIssuer(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8')) as { iss?: unknown } | null;
    return typeof claims?.iss === 'string' ? claims.iss : undefined;
  } catch {
    return undefined;
  }
}
