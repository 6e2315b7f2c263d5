import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { AbacAuthorizer } from './abac/abac-authorizer.ts';
import { readPolicyFile } from './abac/policy-file.ts';
import type { LoadedAuthorizer } from './configuration/load-authorization.ts';
import type { Authorizer, RuleResolver } from './contract/authorizer.ts';
import type { MakeWebhook } from './make-webhook.ts';
import type { AuthorizationMetrics } from './metrics/authorization-metrics.ts';
import { countDecisions } from './metrics/count-decisions.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';
import type { RbacPolicy } from './rbac/rbac-policy.ts';
import { alwaysAllow, alwaysDeny, mastersAuthorizer, unionAuthorizer, unionRuleResolver } from './union.ts';

/** Authorizers in their order, as one. */
export interface AuthorizerChain {
  readonly authorizer: Authorizer;
  readonly resolver: RuleResolver;
  /** Ends the connections to its webhooks. */
  close(): void;
}

export interface ChainBuilderOptions {
  /** The authorizers of the first chain, whose types the later ones have, too. */
  readonly authorizers: readonly LoadedAuthorizer[];
  readonly makeWebhook?: MakeWebhook | undefined;
  readonly caches: ResourceCaches;
  readonly gates: FeatureGates;
  /** The roles and bindings, which are followed from the first call on. */
  readonly policy: () => RbacPolicy;
  /** `--authorization-policy-file`. */
  readonly policyFile: string;
  readonly knowsKind: KnowsKind;
  readonly metrics: AuthorizationMetrics;
  /** How webhooks are reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  readonly logger: Logger;
}

type ResolvingAuthorizer = Authorizer & RuleResolver;

/** Makes chains. Only webhooks are made anew for each; the types of others are those of the first chain. */
export class ChainBuilder {
  readonly #options: ChainBuilderOptions;
  /** By type. */
  readonly #lasting = new Map<string, ResolvingAuthorizer>([
    ['AlwaysAllow', alwaysAllow],
    ['AlwaysDeny', alwaysDeny],
  ]);
  #nodes: NodeAuthorizer | undefined;

  /** @throws ConfigurationError if the policy file cannot be used */
  constructor(options: ChainBuilderOptions) {
    this.#options = options;
    for (const { type } of options.authorizers)
      if (type !== 'Webhook' && !this.#lasting.has(type)) this.#lasting.set(type, this.#make(type));
  }

  /** @throws ConfigurationError if the kubeconfig of a webhook cannot be used, or a type was not there at the start */
  build(configured: readonly LoadedAuthorizer[]): AuthorizerChain {
    const { metrics } = this.#options;
    const authorizers: Authorizer[] = [mastersAuthorizer];
    const resolvers: RuleResolver[] = [];
    const webhooks: ReturnType<MakeWebhook>[] = [];
    for (const one of configured) {
      const webhook = this.#webhook(one);
      const made = webhook ?? this.#lastingOf(one.type);
      if (webhook !== undefined) webhooks.push(webhook);
      authorizers.push(countDecisions(made, metrics.decisionsOf(one.type, one.name)));
      resolvers.push(made);
    }
    return {
      authorizer: unionAuthorizer(authorizers),
      resolver: unionRuleResolver(resolvers),
      close: () => {
        for (const webhook of webhooks) webhook.close();
      },
    };
  }

  close(): void {
    this.#nodes?.close();
  }

  #make(type: string): ResolvingAuthorizer {
    const { caches, gates, policy, policyFile, logger } = this.#options;
    if (type === 'Node') return (this.#nodes = new NodeAuthorizer(caches, gates));
    if (type === 'RBAC') return new RbacAuthorizer(policy());
    if (type !== 'ABAC') throw new ConfigurationError(`unknown authorization mode ${type} specified`);
    const { policies, hasUnversioned } = readPolicyFile(policyFile);
    if (hasUnversioned) logger.warning('the policy file has lines without a version', { file: policyFile });
    return new AbacAuthorizer(policies);
  }

  #lastingOf(type: string): ResolvingAuthorizer {
    const made = this.#lasting.get(type);
    if (made !== undefined) return made;
    throw new ConfigurationError(
      `authorizer type ${type} is not allowed if it was not enabled at initial server startup`,
    );
  }

  #webhook(authorizer: LoadedAuthorizer): ReturnType<MakeWebhook> | undefined {
    const { makeWebhook, gates } = this.#options;
    if (authorizer.webhook === undefined) return undefined;
    const sendsSelectors = gates.isEnabled('AuthorizeWithSelectors');
    return makeWebhook?.(authorizer, authorizer.webhook, { ...this.#options, sendsSelectors });
  }
}
