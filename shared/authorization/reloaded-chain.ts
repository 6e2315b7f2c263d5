import { isDeepStrictEqual } from 'node:util';
import type { UserInfo } from '#shared/request/user.ts';
import type { AuthorizerChain, ChainBuilder } from './authorizer-chain.ts';
import type { LoadedAuthorizer } from './configuration/load-authorization.ts';
import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from './contract/authorizer.ts';

/**
 * Reads contents of the file.
 * @param requiredTypes types that must occur
 * @throws ConfigurationError
 */
export type LoadAuthorizers = (
  bytes: Uint8Array,
  requiredTypes: ReadonlySet<string>,
) => Promise<readonly LoadedAuthorizer[]>;

/** The chain in effect, which a reload replaces as a whole: a question is answered by one chain. */
export class ReloadedChain implements Authorizer, RuleResolver {
  #chain: AuthorizerChain;
  #authorizers: readonly LoadedAuthorizer[];
  /** Those of the start: only webhooks may come and go. */
  readonly #requiredTypes: ReadonlySet<string>;

  constructor(chain: AuthorizerChain, authorizers: readonly LoadedAuthorizer[]) {
    this.#chain = chain;
    this.#authorizers = authorizers;
    this.#requiredTypes = new Set(authorizers.map(({ type }) => type).filter((type) => type !== 'Webhook'));
  }

  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization> {
    return this.#chain.authorizer.authorize(attributes);
  }

  rulesFor(user: UserInfo, namespace: string): ResolvedRules | Promise<ResolvedRules> {
    return this.#chain.resolver.rulesFor(user, namespace);
  }

  close(): void {
    this.#chain.close();
  }

  /**
   * Puts new contents of the file into effect; false if they mean what is in effect already.
   * @throws ConfigurationError
   */
  async replace(bytes: Uint8Array, load: LoadAuthorizers, builder: ChainBuilder): Promise<boolean> {
    const loaded = await load(bytes, this.#requiredTypes);
    if (isDeepStrictEqual(withoutConditions(loaded), withoutConditions(this.#authorizers))) return false;
    const chain = builder.build(loaded);
    // Calls that were begun end on the connections of the old chain.
    this.#chain.close();
    [this.#chain, this.#authorizers] = [chain, loaded];
    return true;
  }
}

/** Compiled conditions follow from their texts. */
function withoutConditions(authorizers: readonly LoadedAuthorizer[]): unknown {
  return authorizers.map(({ type, name, webhook }) => ({ type, name, webhook }));
}
