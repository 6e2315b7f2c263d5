import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { readSignedToken, type SignedToken } from '#shared/authentication/jwt/signed-token.ts';
import { explained } from './explained.ts';
import { readIdToken, type IdToken } from './id-token.ts';
import { RawClaims } from './raw-claims.ts';

/** Verifies a signature by the keys of a provider. */
export interface KeySet {
  /** @throws AuthenticationError (as a rejection) if no key made the signature */
  verify(token: SignedToken): Promise<void>;
}

export interface IdTokenRules {
  readonly audiences: ReadonlySet<string>;
  readonly algorithms: readonly string[];
  readonly nowMs: () => number;
}

const notBeforeLeewayMs = 60_000;
const google = 'https://accounts.google.com';
/** What Google's tokens had as their issuer at first. */
const oldGoogle = 'accounts.google.com';

/** Verifies ID tokens of one issuer, as go-oidc does: signature, issuer, audience and times. */
export class IdTokenVerifier {
  readonly #issuer: string;
  readonly #keys: KeySet;
  readonly #rules: IdTokenRules;

  constructor(issuer: string, keys: KeySet, rules: IdTokenRules) {
    this.#issuer = issuer;
    this.#keys = keys;
    this.#rules = rules;
  }

  /** The claims of a token. @throws AuthenticationError (as a rejection) */
  async verify(token: string): Promise<RawClaims> {
    const signed = token.split('.', 4).length > 3 ? undefined : readSignedToken(token);
    if (signed === undefined) throw new AuthenticationError('oidc: malformed jwt');
    const { algorithms } = this.#rules;
    if (!algorithms.includes(signed.algorithm))
      throw new AuthenticationError(
        `oidc: id token signed with unsupported algorithm, expected ${quotedList(algorithms)} got ${goQuote(signed.algorithm)}`,
      );
    await explained('failed to verify signature', this.#keys.verify(signed));
    this.#check(readIdToken(signed.payload));
    return new RawClaims(signed.payload);
  }

  #check({ issuer, audiences, expires, notBefore }: IdToken): void {
    const expected = this.#issuer;
    if (issuer !== expected && !(expected === google && issuer === oldGoogle))
      throw new AuthenticationError(
        `oidc: id token issued by a different provider, expected ${goQuote(expected)} got ${goQuote(issuer)}`,
      );
    const { audiences: allowed, nowMs } = this.#rules;
    if (!audiences.some((audience) => allowed.has(audience)))
      throw new AuthenticationError(
        `oidc: expected audience ${expectedAudience(allowed)} got ${quotedList(audiences)}`,
      );
    const now = nowMs();
    if (expires === undefined || expires * 1000 < now)
      throw new AuthenticationError(`oidc: token is expired (Token Expiry: ${timeText(expires)})`);
    if (notBefore !== undefined && now + notBeforeLeewayMs < notBefore * 1000)
      throw new AuthenticationError(
        `oidc: current time ${timeText(now / 1000)} before the nbf (not before) time: ${timeText(notBefore)}`,
      );
  }
}

function quotedList(texts: readonly string[]): string {
  return `[${texts.map((text) => goQuote(text)).join(' ')}]`;
}

function expectedAudience(allowed: ReadonlySet<string>): string {
  const [first = '', ...others] = [...allowed].toSorted();
  return others.length === 0 ? goQuote(first) : `in ${quotedList([first, ...others])}`;
}

function timeText(seconds = -62_135_596_800): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s after 1970`;
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +0000 UTC');
}
