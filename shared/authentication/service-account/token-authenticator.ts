import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type AuthenticationResult,
} from '#shared/authentication/contract/authenticator.ts';
import {
  decodeRawUrl,
  readSignedToken,
  SignatureError,
  verifySignedToken,
  type SignedToken,
} from '#shared/authentication/jwt/signed-token.ts';
import type { ReadBoundObject } from './bound-objects.ts';
import type { BoundTokenChecker } from './bound-token-cache.ts';
import { legacyIssuer, type BoundTokenClaims, type LegacyTokenClaims } from './claims.ts';
import type { KeySource } from './key-source.ts';
import type { LegacyTokenUses } from './legacy-token-uses.ts';
import { claimedIssuer, readBoundClaims, readLegacyClaims } from './read-claims.ts';
import { checkBoundToken, checkLegacyToken } from './token-checks.ts';
import type { TokenUse } from './token-use-metrics.ts';

export interface ServiceAccountTokenOptions {
  /** Accepted issuers of bound tokens. */
  readonly issuers: readonly string[];
  readonly keys: KeySource;
  /** The server's own audiences, which apply to tokens and requests that name none. */
  readonly apiAudiences: readonly string[];
  /** Whether the service account and the secret of a legacy token must still exist. */
  readonly lookup: boolean;
  readonly uses: LegacyTokenUses;
  readonly count: (use: TokenUse) => void;
}

/**
 * Authenticates service-account tokens: bound tokens by their issuer, and legacy tokens from secrets
 * (pkg/serviceaccount/jwt.go).
 */
export class ServiceAccountTokenAuthenticator implements BoundTokenChecker {
  readonly #options: ServiceAccountTokenOptions;

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  checkToken(
    token: string,
    audiences: readonly string[],
    read: ReadBoundObject,
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const issuer = unverifiedIssuer(token);
    const { lookup, uses, issuers, count } = this.#options;
    if (issuer === legacyIssuer) {
      return this.#authenticate(token, audiences, {
        issuers: [legacyIssuer],
        claims: readLegacyClaims,
        check: (claims: LegacyTokenClaims) =>
          checkLegacyToken(token, claims, lookup ? { read, uses, count } : undefined),
      });
    }
    if (issuer === '' || !issuers.includes(issuer)) return undefined;
    return this.#authenticate(token, audiences, {
      issuers,
      claims: readBoundClaims,
      async check(claims: BoundTokenClaims) {
        const result = await checkBoundToken(claims, read);
        const { warnafter } = claims['kubernetes.io'];
        if (!warnafter) return result;
        const isStale = Date.now() > warnafter * 1000;
        count(isStale ? 'stale_tokens_total' : 'valid_tokens_total');
        return isStale ? { ...result, annotations: [staleToken(claims.sub ?? '', warnafter)] } : result;
      },
    });
  }

  async #authenticate<Claims extends BoundTokenClaims | LegacyTokenClaims>(
    token: string,
    audiences: readonly string[],
    kind: TokenKind<Claims>,
  ): Promise<AuthenticationAnswer> {
    const signed = readSignedToken(token);
    if (signed === undefined) return undefined;
    const claims = await this.#verify(signed, kind);
    if (!kind.issuers.includes(claims.iss ?? ''))
      throw new AuthenticationError(`token issuer ${goQuote(claims.iss ?? '')} is invalid`);
    const { apiAudiences } = this.#options;
    const named = claims.aud ?? [];
    if (named.length === 0) this.#options.count('legacy_tokens_total');
    const own = named.length === 0 ? apiAudiences : named;
    const wanted = audiences.length === 0 ? apiAudiences : audiences;
    const targets = new Set(wanted);
    const matching = own.filter((audience) => targets.has(audience));
    if (matching.length === 0 && apiAudiences.length > 0) {
      throw new AuthenticationError(
        `token audiences ${quoted(own)} is invalid for the target audiences ${quoted(wanted)}`,
      );
    }
    const result = { ...(await kind.check(claims)), audiences: matching };
    return named.length > 0
      ? result
      : {
          ...result,
          annotations: [['authentication.k8s.io/legacy-token', claims.sub ?? ''], ...(result.annotations ?? [])],
        };
  }

  /** Returns the claims if one of the keys has signed them. */
  async #verify<Claims>(signed: SignedToken, { claims }: Pick<TokenKind<Claims>, 'claims'>): Promise<Claims> {
    const candidates = await this.#options.keys.find(signed.keyId);
    if (candidates.length === 0) throw new AuthenticationError('invalid signature, no keys found');
    const faults = new Set<string>();
    for (const key of candidates) {
      try {
        await verifySignedToken(signed, key.publicKey);
        return claims(signed.payload);
      } catch (error) {
        if (!(error instanceof SignatureError || error instanceof AuthenticationError)) throw error;
        faults.add(error.message);
      }
    }
    throw new AuthenticationError([...faults].join(', '));
  }
}

interface TokenKind<Claims> {
  readonly issuers: readonly string[];
  readonly claims: (payload: string) => Claims;
  readonly check: (claims: Claims) => Promise<AuthenticationResult>;
}

function staleToken(subject: string, warnAfter: number): readonly [string, string] {
  const seconds = Math.floor(Date.now() / 1000) - warnAfter;
  return ['authentication.k8s.io/stale-token', `subject: ${subject}, seconds after warning threshold: ${seconds}`];
}

function quoted(audiences: readonly string[]): string {
  return `[${audiences.map((audience) => goQuote(audience)).join(' ')}]`;
}

/**
 * The issuer of a token, read without a signature check, so that tokens of other issuers cost none; empty if there is
 * none.
 */
function unverifiedIssuer(token: string): string {
  const parts = token.split('.');
  const payload = parts.length === 3 ? decodeRawUrl(parts[1] ?? '') : undefined;
  return payload === undefined ? '' : claimedIssuer(payload.toString('utf8'));
}
