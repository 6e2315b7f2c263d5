import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { registerReloadMetrics } from '#shared/configuration/reload-metrics.ts';
import { ReloadedConfiguration } from '#shared/configuration/reloaded-configuration.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { ChainBuilder } from './authorizer-chain.ts';
import type { Authorizer, RuleResolver } from './contract/authorizer.ts';
import { AuthorizationMetrics } from './metrics/authorization-metrics.ts';
import type { OpenedAuthorizers } from './open-authorizers.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';
import { RbacPolicy } from './rbac/rbac-policy.ts';
import { RoleEscalationGuard } from './rbac/role-guard.ts';
import { ReloadedChain } from './reloaded-chain.ts';

export interface AuthorizationOptions {
  readonly opened: OpenedAuthorizers;
  /** `--authorization-policy-file`. Default: none. */
  readonly policyFile?: string;
  readonly caches: ResourceCaches;
  readonly gates: FeatureGates;
  /** Of the kinds that clients know. */
  readonly knowsKind: KnowsKind;
  /** How webhooks are reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  /** The identity of this process in metrics. */
  readonly serverId: string;
  readonly logger: Logger;
}

export interface AuthorizationSystem {
  readonly authorizer: Authorizer;
  readonly resolver: RuleResolver;
  /** For the strategies of roles and bindings. */
  readonly guard: RoleEscalationGuard;
  /** Resolves when all roles and bindings are loaded; earlier requests wait for this on their own. */
  ready(): Promise<void>;
  /** Resolves when every role and binding that was stored at the call is loaded. */
  current(): Promise<void>;
  isReady(): boolean;
  metrics(): readonly Family[];
  close(): void;
}

/**
 * The authorizers in their order, after the one for system:masters.
 * @throws ConfigurationError if a file that they name cannot be used
 */
export function createAuthorization(options: AuthorizationOptions): AuthorizationSystem {
  const { opened, policyFile = '', caches, logger } = options;
  const metrics = new AuthorizationMetrics();
  const registry = new MetricsRegistry();
  for (const family of metrics.families()) registry.add(family);
  let policy: RbacPolicy | undefined;
  const followPolicy = (): RbacPolicy => (policy ??= new RbacPolicy(caches));
  const builder = new ChainBuilder({ ...options, ...opened, policyFile, policy: followPolicy, metrics });
  const chain = new ReloadedChain(builder.build(opened.authorizers), opened.authorizers);
  const readsRoles = opened.authorizers.some(({ type }) => type === 'RBAC');
  const { file } = opened;
  const reloaded =
    file === undefined
      ? undefined
      : new ReloadedConfiguration({
          file: file.path,
          applied: file.bytes,
          apply: (bytes) => chain.replace(bytes, file.load, builder),
          onReload: registerReloadMetrics(registry, 'authorization', options.serverId, file.bytes),
          reportError: (message, error) => logger.error(message, error),
        });
  return {
    authorizer: chain,
    resolver: chain,
    guard: new RoleEscalationGuard(chain, () => {
      const followed = followPolicy();
      return { policy: followed, resolver: new RbacAuthorizer(followed) };
    }),
    ready: async () => await (readsRoles ? policy?.ready() : undefined),
    current: async () => await (readsRoles ? policy?.current() : undefined),
    isReady: () => !readsRoles || policy?.isReady() === true,
    metrics: () => registry.families(),
    close() {
      void reloaded?.close();
      policy?.close();
      builder.close();
      chain.close();
    },
  };
}
