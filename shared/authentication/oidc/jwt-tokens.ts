import { setTimeout as sleep } from 'node:timers/promises';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { decodeAuthenticationConfiguration } from '#shared/authentication/configuration/decode-authentication-configuration.ts';
import {
  loadConfiguration,
  type LoadedConfiguration,
} from '#shared/authentication/configuration/load-configuration.ts';
import type { OpenedConfiguration } from '#shared/authentication/configuration/open-configuration.ts';
import type {
  AuthenticationAnswer,
  AuthenticationResult,
  TokenAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import {
  cachedTokenAuthenticator,
  type CachedTokenAuthenticator,
} from '#shared/authentication/token-cache/cached-token-authenticator.ts';
import { NotYetUsableError } from '#shared/configuration/reloaded-configuration.ts';
import type { JwtAuthenticatorOptions } from './jwt-authenticator.ts';
import { JwtAuthenticators } from './jwt-authenticators.ts';

export interface JwtTokensOptions extends Omit<JwtAuthenticatorOptions, 'algorithms'> {
  readonly opened: OpenedConfiguration;
  /** ID tokens name clients of the provider, not servers: they are valid for all of these. */
  readonly apiAudiences: readonly string[];
  /** How long a reload waits for providers. Default: one minute, as in the reference. */
  readonly patienceMs?: number;
}

/** What one configuration has: the next one has a cache of its own, so that nothing of the last answers any more. */
interface Generation {
  readonly authenticators: JwtAuthenticators;
  readonly cached: CachedTokenAuthenticator;
}

/** How long an accepted token is kept. */
const acceptedMs = 10_000;
const retryMs = 10_000;

/** Authenticates ID tokens by the configuration in effect, which a reload replaces as a whole. */
export class JwtTokens implements TokenAuthenticator {
  /**
   * Knows the tokens that were accepted a while ago, and asks nobody: it stands before authenticators that take time to
   * say that they do not know a token.
   */
  readonly known: TokenAuthenticator;
  readonly #options: JwtTokensOptions;
  readonly #apiAudiences: ReadonlySet<string>;
  readonly #closing = new AbortController();
  #current: Generation;
  /** What a reload waits for. */
  #next: Generation | undefined;

  /** @throws Error if an authenticator cannot be made */
  constructor(options: JwtTokensOptions) {
    this.#options = options;
    this.#apiAudiences = new Set(options.apiAudiences);
    this.#current = this.#open(options.opened);
    this.known = {
      authenticateToken: (token, audiences) => {
        const known = this.#current.cached.known(token, []);
        return known && this.#forAudiences(known, audiences);
      },
    };
  }

  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    if (this.#matching(audiences) === undefined) return undefined;
    const answer = this.#ask(token);
    return answer instanceof Promise
      ? answer.then((found) => found && this.#forAudiences(found, audiences))
      : answer && this.#forAudiences(answer, audiences);
  }

  /**
   * Puts new contents of the file into effect, once its providers can be used.
   * @throws ConfigurationError (as a rejection)
   */
  async replace(bytes: Uint8Array): Promise<void> {
    const { opened, patienceMs = 60_000, metrics } = this.#options;
    const loaded = loadConfiguration(decodeAuthenticationConfiguration(bytes), opened.rules, opened);
    const next = (this.#next = this.#open(loaded));
    try {
      await this.#untilUsable(next.authenticators, patienceMs);
    } catch (error) {
      next.authenticators.close();
      throw error;
    } finally {
      this.#next = undefined;
    }
    const { authenticators: old } = this.#current;
    this.#current = next;
    old.close();
    for (const issuer of old.issuers.difference(next.authenticators.issuers)) metrics?.forget(issuer);
  }

  close(): void {
    this.#closing.abort();
    for (const generation of [this.#current, this.#next]) generation?.authenticators.close();
  }

  #open(loaded: LoadedConfiguration): Generation {
    const { opened, ...options } = this.#options;
    const authenticators = new JwtAuthenticators(loaded.authenticators, { ...options, algorithms: opened.algorithms });
    const inner: TokenAuthenticator = { authenticateToken: (token) => authenticators.authenticate(token) };
    return { authenticators, cached: cachedTokenAuthenticator(inner, { acceptedMs }) };
  }

  async #untilUsable(authenticators: JwtAuthenticators, patienceMs: number): Promise<void> {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      await authenticators.attempted();
      const { faults } = authenticators;
      if (faults.length === 0) return;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new NotYetUsableError(aggregateMessages([...faults, 'context deadline exceeded']));
      await sleep(Math.min(retryMs, leftMs), undefined, { signal: this.#closing.signal, ref: false });
    }
  }

  /** What the configuration in effect says; an answer that a reload overtakes does not count. */
  #ask(token: string): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const generation = this.#current;
    const answer = generation.cached.authenticateToken(token, []);
    if (!(answer instanceof Promise)) return answer;
    const isCurrent = (): boolean => this.#current === generation;
    return answer.then(
      (found) => (isCurrent() ? found : this.#ask(token)),
      (error: unknown) => {
        if (isCurrent()) throw error;
        return this.#ask(token);
      },
    );
  }

  #forAudiences(result: AuthenticationResult, asked: readonly string[]): AuthenticationAnswer {
    const audiences = this.#matching(asked);
    if (audiences === undefined) return undefined;
    return audiences.length === 0 ? result : { ...result, audiences };
  }

  /** The audiences of the answer; undefined if none of those asked for is the server's own. */
  #matching(asked: readonly string[]): readonly string[] | undefined {
    if (asked.length === 0) return this.#options.apiAudiences;
    const matching = asked.filter((audience) => this.#apiAudiences.has(audience));
    return matching.length === 0 ? undefined : matching;
  }
}
