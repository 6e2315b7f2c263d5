import type { FeatureGates } from '#shared/api/feature-gates.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { Authorizer, RuleResolver } from './contract/authorizer.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';
import { RbacPolicy } from './rbac/rbac-policy.ts';
import { RoleEscalationGuard } from './rbac/role-guard.ts';
import { alwaysAllow, alwaysDeny, mastersAuthorizer, unionAuthorizer, unionRuleResolver } from './union.ts';

export interface AuthorizationOptions {
  /** `--authorization-mode`; empty means AlwaysAllow, as in kube-apiserver. */
  readonly modes: readonly string[];
  readonly caches: ResourceCaches;
  readonly gates: FeatureGates;
}

export interface AuthorizationSystem {
  readonly authorizer: Authorizer;
  readonly resolver: RuleResolver;
  /** For the strategies of roles and bindings; undefined without RBAC, where roles grant nothing. */
  readonly guard: RoleEscalationGuard | undefined;
  /** Resolves when all roles and bindings are loaded; earlier requests wait for this on their own. */
  ready(): Promise<void>;
  /** Resolves when every role and binding that was stored at the call is loaded. */
  current(): Promise<void>;
  isReady(): boolean;
  close(): void;
}

/** The authorizers of the modes in their order, after the one for system:masters. @throws Error for an unknown mode */
export function createAuthorization(options: AuthorizationOptions): AuthorizationSystem {
  const authorizers: Authorizer[] = [mastersAuthorizer];
  const resolvers: RuleResolver[] = [];
  let policy: RbacPolicy | undefined;
  let nodes: NodeAuthorizer | undefined;
  for (const mode of options.modes.length === 0 ? ['AlwaysAllow'] : options.modes) {
    if (mode === 'AlwaysAllow' || mode === 'AlwaysDeny') {
      const fixed = mode === 'AlwaysAllow' ? alwaysAllow : alwaysDeny;
      authorizers.push(fixed);
      resolvers.push(fixed);
    } else if (mode === 'Node') {
      nodes = new NodeAuthorizer(options.caches, options.gates);
      authorizers.push(nodes);
      resolvers.push(nodes);
    } else if (mode === 'RBAC') {
      policy = new RbacPolicy(options.caches);
      const rbac = new RbacAuthorizer(policy);
      authorizers.push(rbac);
      resolvers.push(rbac);
    } else throw new Error(`unknown authorization mode ${JSON.stringify(mode)}`);
  }
  const authorizer = unionAuthorizer(authorizers);
  const resolver = unionRuleResolver(resolvers);
  return {
    authorizer,
    resolver,
    guard: policy && new RoleEscalationGuard({ authorizer, resolver, policy }),
    ready: async () => await policy?.ready(),
    current: async () => await policy?.current(),
    isReady: () => policy?.isReady() ?? true,
    close: () => {
      policy?.close();
      nodes?.close();
    },
  };
}
