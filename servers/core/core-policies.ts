import type { ParamSource } from '#shared/admission/policies/contract/param-source.ts';
import { LocalParams } from '#shared/admission/policies/local-params.ts';
import { Policies } from '#shared/admission/policies/open-policies.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { askAuthorizer } from '#shared/authorization/ask-authorizer.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import { manifestOptions } from '#shared/server/assembly/manifest-options.ts';
import type { CoreResources } from './core-resources.ts';

/** The policies that the core server evaluates. Parameters of built-in kinds are in its caches, others in the API. */
export function corePolicies(
  { rest, access, gates, expressions }: CoreResources,
  { facts, options, logger, serverId, reportError }: ServerDependencies,
  distant: ParamSource,
): Policies {
  return new Policies({
    caches: rest.caches,
    authorize: askAuthorizer(access.authorizer),
    mutating: gates.MutatingAdmissionPolicy,
    compiler: () => expressions.conditions(),
    manifests: manifestOptions({ options, logger, serverId }, () => expressions.conditions()),
    reportError,
    params: new LocalParams({
      caches: rest.caches,
      facts,
      serves: ({ group, version, resource }) => rest.serves(group, version, resource),
      conversionOf({ group, version, resource }) {
        const conversion = rest.find(group, version, resource)?.conversion;
        return conversion && ((object) => conversion.fromStorage(cloneJson(object)));
      },
      distant,
    }),
  });
}
