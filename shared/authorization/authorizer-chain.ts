import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readKubeconfig } from '#shared/configuration/kubeconfig.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import { AbacAuthorizer } from './abac/abac-authorizer.ts';
import { readPolicyFile } from './abac/policy-file.ts';
import type { AuthorizationWebhook } from './configuration/authorization-configuration.ts';
import type { LoadedAuthorizer } from './configuration/load-authorization.ts';
import type { Authorizer, RuleResolver } from './contract/authorizer.ts';
import type { AuthorizationMetrics } from './metrics/authorization-metrics.ts';
import { countDecisions } from './metrics/count-decisions.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';
import type { RbacPolicy } from './rbac/rbac-policy.ts';
import { alwaysAllow, alwaysDeny, mastersAuthorizer, unionAuthorizer, unionRuleResolver } from './union.ts';
import type { AccessReviewVersion } from './webhook/asked-access.ts';
import { WebhookAuthorizer } from './webhook/webhook-authorizer.ts';

/** Authorizers in their order, as one. */
export interface AuthorizerChain {
  readonly authorizer: Authorizer;
  readonly resolver: RuleResolver;
  /** Ends the connections to its webhooks. */
  close(): void;
}

export interface ChainBuilderOptions {
  readonly caches: ResourceCaches;
  readonly gates: FeatureGates;
  /** The roles and bindings, which are followed from the first call on. */
  readonly policy: () => RbacPolicy;
  /** `--authorization-policy-file`. */
  readonly policyFile: string;
  readonly knowsKind: KnowsKind;
  readonly metrics: AuthorizationMetrics;
  readonly logger: Logger;
}

type ResolvingAuthorizer = Authorizer & RuleResolver;

/** The pause before a webhook is asked for a second time. */
const retryMs = 500;
const nsInMs = 1_000_000n;

/** Makes chains. Only webhooks are made anew for each; the types of others are those of the first chain. */
export class ChainBuilder {
  readonly #options: ChainBuilderOptions;
  /** By type. */
  readonly #lasting = new Map<string, ResolvingAuthorizer>([
    ['AlwaysAllow', alwaysAllow],
    ['AlwaysDeny', alwaysDeny],
  ]);
  #nodes: NodeAuthorizer | undefined;

  /**
   * @param first the authorizers of the start
   * @throws ConfigurationError if the policy file cannot be used
   */
  constructor(options: ChainBuilderOptions, first: readonly LoadedAuthorizer[]) {
    this.#options = options;
    for (const { type } of first)
      if (type !== 'Webhook' && !this.#lasting.has(type)) this.#lasting.set(type, this.#make(type));
  }

  /** @throws ConfigurationError if the kubeconfig of a webhook cannot be used, or a type was not there at the start */
  build(configured: readonly LoadedAuthorizer[]): AuthorizerChain {
    const { metrics } = this.#options;
    const authorizers: Authorizer[] = [mastersAuthorizer];
    const resolvers: RuleResolver[] = [];
    const webhooks: WebhookAuthorizer[] = [];
    for (const one of configured) {
      const made = one.webhook === undefined ? this.#lastingOf(one.type) : this.#webhook(one, one.webhook);
      if (made instanceof WebhookAuthorizer) webhooks.push(made);
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

  #webhook({ name, conditions }: LoadedAuthorizer, webhook: AuthorizationWebhook): WebhookAuthorizer {
    const { gates, knowsKind, metrics, logger } = this.#options;
    const file = webhook.connectionInfo.kubeConfigFile ?? '';
    return new WebhookAuthorizer({
      name,
      conditions,
      sendsSelectors: gates.isEnabled('AuthorizeWithSelectors'),
      client: new KubeconfigWebhook({
        read: () => readKubeconfig(file).target(),
        reportError: (error) =>
          logger.error('the files of an authorization webhook stay as they were', error, { name }),
        retryMs,
        timeoutMs: Number(webhook.timeout) / Number(nsInMs),
      }),
      version: webhook.subjectAccessReviewVersion as AccessReviewVersion,
      times: {
        authorizedMs: webhook.cacheAuthorizedRequests ? Number(webhook.authorizedTtl / nsInMs) : 0,
        unauthorizedMs: webhook.cacheUnauthorizedRequests ? Number(webhook.unauthorizedTtl / nsInMs) : 0,
      },
      onFailure: webhook.failurePolicy === 'Deny' ? 'deny' : 'noOpinion',
      knowsKind,
      metrics,
      reportError: (message, error) => logger.error(message, error, { name }),
    });
  }
}
