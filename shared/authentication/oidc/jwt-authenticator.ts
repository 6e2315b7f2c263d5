import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { CompiledJwtAuthenticator } from '#shared/authentication/configuration/validate-authentication-configuration.ts';
import { AuthenticationError, type AuthenticationResult } from '#shared/authentication/contract/authenticator.ts';
import { discoverKeysUrl } from './discovery.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { explained } from './explained.ts';
import { IdTokenVerifier, type IdTokenRules } from './id-token-verifier.ts';
import { InitialRetries } from './initial-retries.ts';
import type { JwtMetrics } from './jwt-metrics.ts';
import { ProviderClient, type DialProvider, type Provider, type ProviderClientOptions } from './provider-client.ts';
import { RemoteKeySet } from './remote-key-set.ts';
import { UserMapper } from './user-mapper.ts';

/** Finds the way to a network of the egress selector; undefined if it is not configured. */
export type EgressLookup = (network: 'controlplane' | 'cluster') => DialProvider | undefined;

export interface JwtAuthenticatorOptions {
  /** Algorithms of signatures that are accepted. */
  readonly algorithms: readonly string[];
  /** Absent if there is no egress selector. */
  readonly egress?: EgressLookup | undefined;
  readonly metrics?: JwtMetrics | undefined;
  /** Whether fetches of keys are counted (gate StructuredAuthenticationConfigurationJWKSMetrics). */
  readonly countsFetches?: boolean;
  /** Writes to the log why a provider cannot be used yet. */
  readonly reportError: (message: string, error: unknown) => void;
  /** Default: a client of HTTPS. */
  readonly openProvider?: (options: ProviderClientOptions) => Provider;
  /** Default: the system's clock. */
  readonly nowMs?: () => number;
}

/**
 * Authenticates the ID tokens of one issuer. The address of its keys is found in the background, since the provider may
 * run on this very cluster; until then its tokens are refused.
 */
export class JwtAuthenticator {
  readonly issuer: string;
  readonly #options: JwtAuthenticatorOptions;
  readonly #client: Provider;
  readonly #mapper: UserMapper;
  readonly #distributed: DistributedClaims | undefined;
  readonly #retries: InitialRetries;
  #verifier: IdTokenVerifier | undefined;
  #fault: string;

  /** @throws Error if the egress selector has no such network */
  constructor(compiled: CompiledJwtAuthenticator, options: JwtAuthenticatorOptions) {
    const { issuer, claimMappings } = compiled.configuration;
    this.issuer = issuer.url;
    this.#options = options;
    this.#fault = `oidc: authenticator for issuer ${goQuote(issuer.url)} is not initialized`;
    this.#mapper = new UserMapper(compiled);
    const { algorithms, nowMs = Date.now, openProvider = openClient, reportError } = options;
    const client = (this.#client = openProvider({
      certificateAuthority: issuer.certificateAuthority,
      dial: dialOf(issuer.egressSelectorType, options.egress),
    }));
    const rules: IdTokenRules = { audiences: new Set(issuer.audiences), algorithms, nowMs };
    const { claim } = claimMappings.groups;
    if (claim !== '') this.#distributed = new DistributedClaims({ claim, client, rules, reportError });
    this.#retries = new InitialRetries(
      async () => {
        const url = await discoverKeysUrl(client, issuer.url, issuer.discoveryUrl);
        const keys = new RemoteKeySet({ url, client, onFetch: this.#fetchListener() });
        this.#verifier = new IdTokenVerifier(issuer.url, keys, rules);
        this.#fault = '';
      },
      (error) => {
        this.#fault = error instanceof Error ? error.message : String(error);
        reportError(`oidc authenticator: initializing plugin for issuer ${goQuote(issuer.url)}`, error);
      },
    );
  }

  /** Why the authenticator cannot check tokens yet; empty once it can. */
  get fault(): string {
    return this.#fault === ''
      ? ''
      : `oidc: authenticator for issuer ${goQuote(this.issuer)} is not healthy: ${this.#fault}`;
  }

  /** Settles with the attempt to find the keys that is under way; never rejects. */
  get attempt(): Promise<void> {
    return this.#retries.attempt;
  }

  /** Authenticates a token that names this issuer. @throws AuthenticationError (as a rejection) */
  async authenticate(token: string): Promise<AuthenticationResult> {
    const start = performance.now();
    let result: 'success' | 'failure' = 'failure';
    try {
      const answer = await this.#authenticate(token);
      result = 'success';
      return answer;
    } finally {
      this.#options.metrics?.checked(result, this.issuer, (performance.now() - start) / 1000);
    }
  }

  close(): void {
    this.#retries.close();
    this.#distributed?.close();
    this.#client.close();
  }

  async #authenticate(token: string): Promise<AuthenticationResult> {
    if (this.#verifier === undefined) throw new AuthenticationError('oidc: authenticator not initialized');
    const claims = await explained('oidc: verify token', this.#verifier.verify(token));
    if (this.#distributed !== undefined)
      await explained('oidc: could not expand distributed claims', this.#distributed.expand(claims));
    return { user: await this.#mapper.map(claims) };
  }

  #fetchListener(): ((keySet: string | undefined) => void) | undefined {
    const { metrics, countsFetches = false } = this.#options;
    return metrics !== undefined && countsFetches ? (keySet) => metrics.fetched(this.issuer, keySet) : undefined;
  }
}

function openClient(options: ProviderClientOptions): Provider {
  return new ProviderClient(options);
}

function dialOf(type: string, egress: EgressLookup | undefined): DialProvider | undefined {
  if (type !== 'controlplane' && type !== 'cluster') return undefined;
  if (egress === undefined) throw new Error(`oidc: egress lookup required with egress selector type ${goQuote(type)}`);
  const dial = egress(type);
  if (dial === undefined) throw new Error(`oidc: egress lookup for ${goQuote(type)} is not configured`);
  return dial;
}
