import type { AuthenticationAnswer, TokenAuthenticator } from '#shared/authentication/contract/authenticator.ts';
import { parseBootstrapToken, secretNamePrefix, type BootstrapSecret } from './bootstrap-secret.ts';
import type { BootstrapSecrets } from './bootstrap-secrets.ts';

export interface BootstrapTokenOptions {
  readonly secrets: Pick<BootstrapSecrets, 'get'>;
  /** These tokens name no audience: they are valid for the server's own audiences. */
  readonly apiAudiences: readonly string[];
  /** Writes to the log (`-v=3`) why a token was not accepted. */
  readonly note: (message: string) => void;
}

/** Tokens with which machines join a cluster, from secrets (plugin/pkg/auth/authenticator/token/bootstrap). */
export class BootstrapTokenAuthenticator implements TokenAuthenticator {
  readonly #options: BootstrapTokenOptions;

  constructor(options: BootstrapTokenOptions) {
    this.#options = options;
  }

  authenticateToken(text: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const token = parseBootstrapToken(text);
    if (token === undefined) return undefined;
    const matching = this.#matching(audiences);
    if (matching === undefined) return undefined;
    const check = (secret: BootstrapSecret | undefined): AuthenticationAnswer => {
      const name = secretNamePrefix + token.id;
      if (secret === undefined) return this.#refuse(`No secret of name ${name} to match bootstrap bearer token`);
      const user = secret.check(token, Date.now());
      if (typeof user === 'string')
        return this.#refuse(`Bootstrap secret kube-system/${name} matching bearer token ${user}`);
      return matching.length === 0 ? { user } : { user, audiences: matching };
    };
    const secret = this.#options.secrets.get(token.id);
    return secret instanceof Promise ? secret.then(check) : check(secret);
  }

  /** The audiences of the answer; undefined if none of those asked for is the server's own. */
  #matching(audiences: readonly string[]): readonly string[] | undefined {
    const { apiAudiences } = this.#options;
    if (audiences.length === 0) return apiAudiences;
    const own = new Set(apiAudiences);
    const matching = audiences.filter((audience) => own.has(audience));
    return matching.length === 0 ? undefined : matching;
  }

  #refuse(message: string): undefined {
    this.#options.note(message);
    return undefined;
  }
}
