import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { AuthorizeAccess } from '#shared/admission/contract/authorize.ts';
import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { namespaceObject } from '#shared/admission/expressions/namespace-object.ts';
import { RequestAuthorizer } from '#shared/admission/expressions/request-authorizer.ts';
import type { MatchCriteria } from '#shared/admission/matching/match-criteria.ts';
import { matchRequest } from '#shared/admission/matching/match-request.ts';
import { RequestNamespace } from '#shared/admission/matching/request-namespace.ts';
import type { Param, ParamLister } from '#shared/admission/policies/contract/param-source.ts';
import type { PolicyBinding, PolicyHook } from '#shared/admission/policies/contract/policy-hook.ts';
import { collectParams, ParamError } from '#shared/admission/policies/params/collect-params.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { waitFor, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import type { Value } from '#shared/cel/values/value.ts';

/** What plugins of policies read besides the policies. */
export interface PolicyEnvironment {
  /** Lists the namespaces. */
  readonly namespaces: ObjectLister;
  readonly authorize: AuthorizeAccess;
}

/** One request as all policies of a plugin see it; what one policy has looked up serves the others. */
export class PolicyRequest {
  readonly attributes: AdmissionAttributes;
  readonly authorizer: RequestAuthorizer;
  readonly #namespace: RequestNamespace;
  #namespaceObject: Value | undefined;

  constructor(attributes: AdmissionAttributes, { namespaces, authorize }: PolicyEnvironment) {
    this.attributes = attributes;
    this.authorizer = new RequestAuthorizer(authorize, attributes.user);
    this.#namespace = new RequestNamespace(namespaces, attributes);
  }

  /** @throws StatusError */
  *match(criteria: MatchCriteria): Steps<ResourceMatch | undefined> {
    const matched = matchRequest(criteria, this.attributes, this.#namespace);
    return matched instanceof Promise ? yield* waitFor(matched) : matched;
  }

  /** The parameters for a binding of a policy. @throws ParamError */
  *params({ spec, params }: PolicyHook<unknown>, binding: PolicyBinding): Steps<readonly (Param | undefined)[]> {
    const kind = objectAt(spec, 'paramKind');
    const reference = objectAt(binding.spec, 'paramRef');
    if (kind === undefined || reference === undefined) return [undefined];
    const demand: { kind: typeof kind; lister: ParamLister | undefined; reference: typeof reference } = {
      kind,
      lister: params,
      reference,
    };
    return yield* waitFor(collectParams(demand, this.attributes.namespace));
  }

  /** The variable `namespaceObject`: null for objects of the cluster, among them namespaces. @throws StatusError 404 */
  *namespaceObject(): Steps<Value> {
    if (this.#namespaceObject !== undefined) return this.#namespaceObject;
    const { kind, namespace } = this.attributes;
    const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
    if (namespace === '' || isNamespace) return (this.#namespaceObject = null);
    const found = this.#namespace.require();
    const read = found instanceof Promise ? yield* waitFor(found) : found;
    return (this.#namespaceObject = jsonValue(namespaceObject(read)));
  }
}

/** The text of an error that a policy counts as its own. @throws all other errors */
export function policyErrorText(error: unknown): string {
  if (error instanceof StatusError || error instanceof ParamError) return error.message;
  throw error;
}
