import type { CompiledJwtAuthenticator } from '#shared/authentication/configuration/validate-authentication-configuration.ts';
import type { AuthenticationResult } from '#shared/authentication/contract/authenticator.ts';
import { JwtAuthenticator, type JwtAuthenticatorOptions } from './jwt-authenticator.ts';
import { unverifiedIssuer } from './unverified-issuer.ts';

/** The authenticators of all issuers of one configuration. */
export class JwtAuthenticators {
  readonly #byIssuer = new Map<string, JwtAuthenticator>();

  /** @throws Error if an authenticator cannot be made */
  constructor(compiled: readonly CompiledJwtAuthenticator[], options: JwtAuthenticatorOptions) {
    try {
      for (const one of compiled) this.#byIssuer.set(one.configuration.issuer.url, new JwtAuthenticator(one, options));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get issuers(): ReadonlySet<string> {
    return new Set(this.#byIssuer.keys());
  }

  /** What keeps issuers from being used yet; empty when all can be. */
  get faults(): readonly string[] {
    return [...this.#byIssuer.values()].map(({ fault }) => fault).filter((fault) => fault !== '');
  }

  /** Resolves when each issuer was tried. */
  async attempted(): Promise<void> {
    await Promise.all([...this.#byIssuer.values()].map(({ attempt }) => attempt));
  }

  /** Undefined for a token of no known issuer. */
  authenticate(token: string): Promise<AuthenticationResult> | undefined {
    const issuer = unverifiedIssuer(token);
    return issuer === undefined ? undefined : this.#byIssuer.get(issuer)?.authenticate(token);
  }

  close(): void {
    for (const one of this.#byIssuer.values()) one.close();
  }
}
