import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { ParamSource } from '#shared/admission/policies/contract/param-source.ts';
import { LocalParams } from '#shared/admission/policies/local-params.ts';
import { Policies } from '#shared/admission/policies/open-policies.ts';
import type { Facts } from '#shared/api/facts.ts';
import { askAuthorizer } from '#shared/authorization/ask-authorizer.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { relationExcerpt } from '#shared/authorization/node/relation-excerpts.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import { isServed } from '#shared/server/options/serving-choice.ts';
import { manifestOptions, type ManifestServer } from './manifest-options.ts';

export interface OpenPoliciesOptions extends ManifestServer {
  readonly facts: Facts;
  readonly caches: ObjectCaches;
  readonly authorizer: Authorizer;
  /** Parameters that this process does not serve. */
  readonly distant: ParamSource;
  /** Parameters of custom kinds, where this process serves them. */
  readonly others?: ParamSource;
  readonly reportError: (message: string, error: unknown) => void;
}

/**
 * The policies of a server whose objects are not built in. It caches only a part of some built-in objects, and cannot
 * convert them: parameters of such kinds come from the API, as those of other servers do.
 */
export function openPolicies({
  options,
  facts,
  caches,
  authorizer,
  logger,
  serverId,
  reportError,
  others,
  distant,
}: OpenPoliciesOptions): Policies {
  const served = isServed(options, facts);
  return new Policies({
    caches,
    authorize: askAuthorizer(authorizer),
    mutating: featureGates(options).gates.isEnabled('MutatingAdmissionPolicy'),
    manifests: manifestOptions({ options, logger, serverId }, undefined),
    reportError,
    params: new LocalParams({
      caches,
      facts,
      serves: (resource) => served(resource) && relationExcerpt(resource.group, resource.resource) === undefined,
      conversionOf: () => undefined,
      others,
      distant,
    }),
  });
}
