import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import { openUserRules, type UserRules } from '#shared/server/assembly/open-user-rules.ts';
import { corePolicies } from './core-policies.ts';
import type { CoreResources } from './core-resources.ts';

/** The policies and webhooks that the core server asks. */
export function coreUserRules(base: ServerDependencies, resources: CoreResources): UserRules {
  return openUserRules({
    ...base,
    resources: resources.rest,
    authorizer: resources.access.authorizer,
    policies: (distant) => corePolicies(resources, base, distant),
    compiler: () => resources.expressions.conditions(),
  });
}
