import type { AdmissionAttributes, AdmissionOperation } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import type { GroupResource, GroupVersionResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt, stringsAt } from '#shared/apimachinery/object.ts';

/** A compiled RuleWithOperations or NamedRuleWithOperations of `admissionregistration.k8s.io`. */
export interface MatchRule {
  readonly operations: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  /** `resource/subresource`; the main resource has the subresource ''. */
  readonly resources: ReadonlySet<string>;
  readonly scope: string;
  /** Empty for all names, as in rules of webhooks. */
  readonly names: ReadonlySet<string>;
}

export function compileMatchRule(rule: JsonObject): MatchRule {
  return {
    operations: new Set(stringsAt(rule, 'operations')),
    groups: new Set(stringsAt(rule, 'apiGroups')),
    versions: new Set(stringsAt(rule, 'apiVersions')),
    resources: new Set(stringsAt(rule, 'resources').map((text) => (text.includes('/') ? text : `${text}/`))),
    scope: stringAt(rule, 'scope'),
    names: new Set(stringsAt(rule, 'resourceNames')),
  };
}

function has(items: ReadonlySet<string>, item: string): boolean {
  return items.has(item) || items.has('*');
}

function hasResource({ resources }: MatchRule, resource: string, subresource: string): boolean {
  return (
    resources.has(`${resource}/${subresource}`) ||
    resources.has(`*/${subresource}`) ||
    resources.has(`${resource}/*`) ||
    resources.has('*/*')
  );
}

/** A namespace object counts as cluster-scoped, although its requests have a namespace: its own name. */
function inScope(scope: string, { group, version, resource }: GroupVersionResource, namespace: string): boolean {
  if (scope === '' || scope === '*') return true;
  const isClusterWide = namespace === '' || (group === '' && version === 'v1' && resource === 'namespaces');
  if (scope === 'Cluster') return isClusterWide;
  return scope === 'Namespaced' && !isClusterWide;
}

/** Whether a rule matches a request for `resource` (apiserver/pkg/admission/plugin/webhook/predicates/rules). */
function matches(rule: MatchRule, attributes: AdmissionAttributes, resource: GroupVersionResource): boolean {
  return (
    has(rule.operations, attributes.operation) &&
    has(rule.groups, resource.group) &&
    has(rule.versions, resource.version) &&
    hasResource(rule, resource.resource, attributes.subresource) &&
    inScope(rule.scope, resource, attributes.namespace) &&
    (rule.names.size === 0 || rule.names.has(attributes.name))
  );
}

/**
 * The resource of the first rule that matches: that of the request itself, or, with `matchPolicy: Equivalent`, another
 * version of it.
 */
export function matchRules(
  rules: readonly MatchRule[],
  isEquivalent: boolean,
  attributes: AdmissionAttributes,
): ResourceMatch | undefined {
  const { resource } = attributes;
  if (rules.some((rule) => matches(rule, attributes, resource))) return { resource, kind: attributes.kind };
  if (!isEquivalent) return undefined;
  const others = attributes.versions.equivalents.filter(
    (other) => other.resource.version !== resource.version || other.resource.group !== resource.group,
  );
  if (others.length === 0) return undefined;
  for (const rule of rules) for (const other of others) if (matches(rule, attributes, other.resource)) return other;
  return undefined;
}

/** Whether a rule may match some request for the resource or its subresources, in any version. */
export function mayMatch(rule: MatchRule, operation: AdmissionOperation, groupResource: GroupResource): boolean {
  return has(rule.operations, operation) && mayMatchResource(rule, groupResource);
}

function mayMatchResource({ groups, resources }: MatchRule, { group, resource }: GroupResource): boolean {
  // Events are one resource in two groups.
  const inGroup = has(groups, group) || (resource === 'events' && eventGroups.some((other) => groups.has(other)));
  if (!inGroup) return false;
  for (const text of resources) {
    const name = text.slice(0, text.indexOf('/'));
    if (name === '*' || name === resource) return true;
  }
  return false;
}

const eventGroups = ['', 'events.k8s.io'];
