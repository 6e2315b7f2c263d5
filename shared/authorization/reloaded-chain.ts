import { isDeepStrictEqual } from 'node:util';
import type { UserInfo } from '#shared/request/user.ts';
import type { AuthorizerChain, ChainBuilder } from './authorizer-chain.ts';
import { loadAuthorization, type LoadedAuthorizer } from './configuration/load-authorization.ts';
import type { OpenedAuthorizers } from './configuration/open-authorizers.ts';
import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from './contract/authorizer.ts';

/** The chain in effect, which a reload replaces as a whole: a question is answered by one chain. */
export class ReloadedChain implements Authorizer, RuleResolver {
  #chain: AuthorizerChain;
  #authorizers: readonly LoadedAuthorizer[];

  constructor(chain: AuthorizerChain, authorizers: readonly LoadedAuthorizer[]) {
    this.#chain = chain;
    this.#authorizers = authorizers;
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
  async replace(
    bytes: Uint8Array,
    { readsSelectors, authorizers }: OpenedAuthorizers,
    builder: ChainBuilder,
  ): Promise<boolean> {
    const requiredTypes = new Set(authorizers.map(({ type }) => type).filter((type) => type !== 'Webhook'));
    const loaded = await loadAuthorization(bytes, { readsSelectors, requiredTypes });
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
