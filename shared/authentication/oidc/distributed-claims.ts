import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { discoverKeysUrl } from './discovery.ts';
import { explained } from './explained.ts';
import { IdTokenVerifier, type IdTokenRules } from './id-token-verifier.ts';
import { claimSourceOf, textMembers, type ClaimSource } from './id-token.ts';
import { InitialRetries } from './initial-retries.ts';
import type { Provider } from './provider-client.ts';
import { membersOf, type RawClaims } from './raw-claims.ts';
import { RemoteKeySet } from './remote-key-set.ts';
import { unverifiedIssuer } from './unverified-issuer.ts';

export interface DistributedClaimsOptions {
  /** The claim that may stand elsewhere. */
  readonly claim: string;
  readonly client: Provider;
  readonly rules: IdTokenRules;
  /** Writes to the log why an issuer cannot be used yet. */
  readonly reportError: (message: string, error: unknown) => void;
}

/** Each issuer keeps its keys, and only the provider's own tokens name issuers: they are few. */
const maxIssuers = 64;

interface KnownIssuer {
  verifier: IdTokenVerifier | undefined;
  readonly retries: InitialRetries;
}

/**
 * Gets a claim that a token only names a source of (OpenID Connect Core 1.0, section 5.6.2). The source answers with a
 * token, too, whose issuer publishes its keys.
 */
export class DistributedClaims {
  readonly #options: DistributedClaimsOptions;
  readonly #issuers = new Map<string, KnownIssuer>();

  constructor(options: DistributedClaimsOptions) {
    this.#options = options;
  }

  /** Adds the claim to those of a verified token, if it stands elsewhere. @throws AuthenticationError (as a rejection) */
  async expand(claims: RawClaims): Promise<void> {
    const { claim } = this.#options;
    if (claims.has(claim)) return;
    const source = sourceOf(claims, claim);
    if (source === undefined || source.endpoint === '') return;
    claims.adopt(claim, await this.#resolve(source));
  }

  close(): void {
    for (const { retries } of this.#issuers.values()) retries.close();
  }

  async #resolve({ endpoint, accessToken }: ClaimSource): Promise<RawClaims> {
    const { claim } = this.#options;
    const token = await this.#get(endpoint, accessToken);
    const issuer = unverifiedIssuer(token);
    if (issuer === undefined)
      throw new AuthenticationError(
        `getting untrusted issuer from endpoint ${endpoint} failed for claim ${goQuote(claim)}: malformed token`,
      );
    const claims = await explained('verify distributed claim token', this.#verifierOf(issuer).verify(token));
    if (!claims.has(claim))
      throw new AuthenticationError(
        `jwt returned by distributed claim endpoint ${goQuote(endpoint)} did not contain claim: ${claim}`,
      );
    return claims;
  }

  async #get(endpoint: string, accessToken: string): Promise<string> {
    const { claim, client } = this.#options;
    try {
      const headers = accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };
      const { status, statusText, body } = await client.get(endpoint, headers);
      if (status < 200 || status > 226) throw new Error(`error while getting distributed claim JWT: ${statusText}`);
      return body;
    } catch (error) {
      throw new AuthenticationError(`while getting distributed claim ${goQuote(claim)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** The verifier of an issuer, which is found in the background. @throws AuthenticationError until then */
  #verifierOf(issuer: string): IdTokenVerifier {
    let known = this.#issuers.get(issuer);
    if (known === undefined && this.#issuers.size < maxIssuers)
      this.#issuers.set(issuer, (known = this.#begin(issuer)));
    if (known?.verifier !== undefined) return known.verifier;
    throw new AuthenticationError(
      `verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${goQuote(issuer)}`,
    );
  }

  #begin(issuer: string): KnownIssuer {
    const { client, rules, reportError } = this.#options;
    const known: KnownIssuer = {
      verifier: undefined,
      retries: new InitialRetries(
        async () => {
          const url = await discoverKeysUrl(client, issuer, '');
          known.verifier = new IdTokenVerifier(issuer, new RemoteKeySet({ url, client }), rules);
        },
        (error) => reportError(`oidc authenticator: async token verifier for issuer: ${goQuote(issuer)}`, error),
      ),
    };
    return known;
  }
}

function sourceOf(claims: RawClaims, claim: string): ClaimSource | undefined {
  const names = claims.raw('_claim_names');
  if (names === undefined) return undefined;
  const sources = claims.raw('_claim_sources');
  if (sources === undefined) throw new AuthenticationError('oidc: no claim sources');
  const source = textMembers(names).get(claim);
  if (source === undefined) return undefined;
  const text = new Map(membersOf(sources)).get(source);
  if (text === undefined)
    throw new AuthenticationError(`id token _claim_names contained a source ${source} missing in _claims_sources`);
  return claimSourceOf(text);
}
