import { sameButForGarbageCollection } from '#shared/api/same-by-type.ts';
import {
  failureStatus,
  newBadRequest,
  newForbidden,
  newNotFound,
  StatusError,
} from '#shared/apimachinery/errors/status.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { mastersGroup } from '#shared/authentication/contract/authenticator.ts';
import type { Authorizer, RuleResolver } from '#shared/authorization/contract/authorizer.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { describeRule, quoteList, roleRefOf, policyRulesOf, type PolicyRule, type RoleRef } from './policy-rule.ts';
import { unsupportedKind, type RbacPolicy } from './rbac-policy.ts';
import { compactRules, missingRules, countParts } from './rule-cover.ts';

const group = 'rbac.authorization.k8s.io';
const model = 'io.k8s.api.rbac.v1.';
const resources: Readonly<Record<string, string>> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
};
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/** Of the rules that are compared with those of a user. A role of more has lists that multiply to no purpose. */
const maxParts = 1_000_000;

/** The roles that are stored, and the rules that they grant. */
export interface StoredRoles {
  readonly resolver: RuleResolver;
  readonly policy: RbacPolicy;
}

/**
 * Refuses to let users grant rights that they do not hold, unless they may `escalate` the role or `bind` it
 * (pkg/registry/rbac). system:masters may grant anything. `old` is undefined on create.
 */
export class RoleEscalationGuard {
  readonly #authorizer: Authorizer;
  readonly #roles: () => StoredRoles;

  /** @param roles called where the authorizer does not decide: other modes than RBAC may do without */
  constructor(authorizer: Authorizer, roles: () => StoredRoles) {
    this.#authorizer = authorizer;
    this.#roles = roles;
  }

  /** @throws StatusError 403 */
  async guardRole(role: KubeObject, old: KubeObject | undefined, context: OperationContext): Promise<void> {
    if (
      context.user.groups.includes(mastersGroup) ||
      (old && sameButForGarbageCollection(`${model}${role.kind ?? ''}`, role, old))
    )
      return;
    const resource = getKey(resources, role.kind ?? '') ?? 'roles';
    if (
      await this.#may(
        context.user,
        'escalate',
        { group, resource },
        old ? (role.metadata.name ?? '') : '',
        context.namespace,
      )
    )
      return;
    await this.#confirm(policyRulesOf(role), resource, role.metadata.name ?? '', context);
    if (resource === 'clusterroles' && objectAt(role, 'aggregationRule')) {
      const missing = await this.#missing(everything, context);
      if (missing.length > 0)
        throw newForbidden(
          { group, resource },
          role.metadata.name ?? '',
          'must have cluster-admin privileges to use the aggregationRule',
        );
    }
  }

  /** @throws StatusError 403, 404 when the role of the binding is missing, or what {@link refuseReference} throws */
  async guardBinding(binding: KubeObject, old: KubeObject | undefined, context: OperationContext): Promise<void> {
    if (
      context.user.groups.includes(mastersGroup) ||
      (old && sameButForGarbageCollection(`${model}${binding.kind ?? ''}`, binding, old))
    )
      return;
    const resource = getKey(resources, binding.kind ?? '') ?? 'rolebindings';
    const roleRef = roleRefOf(binding);
    const target = bindable.get(roleRef.kind);
    if (
      target !== undefined &&
      (await this.#may(
        context.user,
        'bind',
        { group: roleRef.apiGroup, resource: target },
        roleRef.name,
        context.namespace,
      ))
    )
      return;
    refuseReference(roleRef, context.namespace);
    const rules = await this.#roles().policy.rulesOf(roleRef, context.namespace);
    // kube-apiserver names the resource of the request here, not that of the role.
    if (rules === undefined) throw newNotFound({ group, resource }, roleRef.name);
    await this.#confirm(rules, resource, binding.metadata.name ?? '', context);
  }

  async #may(
    user: UserInfo,
    verb: string,
    asked: { readonly group: string; readonly resource: string },
    name: string,
    namespace: string,
  ): Promise<boolean> {
    const { decision } = await this.#authorizer.authorize({
      user,
      verb,
      resourceRequest: true,
      apiGroup: asked.group,
      apiVersion: '*',
      resource: asked.resource,
      subresource: '',
      namespace,
      name,
      path: '',
    });
    return decision === 'allow';
  }

  async #missing(rules: readonly PolicyRule[], context: OperationContext): Promise<PolicyRule[]> {
    const { resourceRules, nonResourceRules } = await this.#roles().resolver.rulesFor(context.user, context.namespace);
    const held = [
      ...resourceRules.map((rule) => ({ ...rule, nonResourceURLs: [] })),
      ...nonResourceRules.map((rule) => ({ ...rule, apiGroups: [], resources: [], resourceNames: [] })),
    ];
    return inRequestSlices(missingRules(held, rules));
  }

  async #confirm(
    rules: readonly PolicyRule[],
    resource: string,
    name: string,
    context: OperationContext,
  ): Promise<void> {
    const { user } = context;
    if (countParts(rules) > maxParts)
      throw newForbidden(
        { group, resource },
        name,
        `user ${goQuote(user.name)} is attempting to grant rules of more than ${maxParts} combinations of a verb, API group, resource and name, which are not compared with those currently held`,
      );
    const missing = await this.#missing(rules, context);
    if (missing.length === 0) return;
    const lines = [...new Set(compactRules(missing).map(describeRule))].sort();
    throw newForbidden(
      { group, resource },
      name,
      `user ${goQuote(user.name)} (groups=${quoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`,
    );
  }
}

/**
 * The resources for which the verb `bind` is checked, by kind of the reference. The group of the reference is checked
 * later; no user may bind a reference of another kind.
 */
const bindable: ReadonlyMap<string, string> = new Map([
  ['Role', 'roles'],
  ['ClusterRole', 'clusterroles'],
]);

/**
 * Refuses a role reference that cannot be looked up, before the validation of the binding.
 * @throws StatusError 500 for a kind that is no role, 400 for a Role outside of namespaces
 */
function refuseReference({ kind }: RoleRef, namespace: string): void {
  if (kind !== 'Role' && kind !== 'ClusterRole') throw new StatusError(failureStatus(500, '', unsupportedKind(kind)));
  if (kind === 'Role' && namespace === '') throw newBadRequest('Namespace parameter required.');
}
