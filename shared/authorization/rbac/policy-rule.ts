import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';

/** One rule of a role; every list is present, maybe empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** The `rules` of a Role or ClusterRole. */
export function policyRulesOf(role: JsonValue): PolicyRule[] {
  return objectsAt(role, 'rules').map((rule) => ({
    verbs: stringsAt(rule, 'verbs'),
    apiGroups: stringsAt(rule, 'apiGroups'),
    resources: stringsAt(rule, 'resources'),
    resourceNames: stringsAt(rule, 'resourceNames'),
    nonResourceURLs: stringsAt(rule, 'nonResourceURLs'),
  }));
}

export function roleRefOf(binding: KubeObject): RoleRef {
  return {
    apiGroup: stringAt(binding, 'roleRef', 'apiGroup'),
    kind: stringAt(binding, 'roleRef', 'kind'),
    name: stringAt(binding, 'roleRef', 'name'),
  };
}

/** Whether a rule allows the request (pkg/apis/rbac/v1/evaluation_helpers.go). */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizerAttributes): boolean {
  if (!matches(rule.verbs, attributes.verb)) return false;
  if (!attributes.resourceRequest) return rule.nonResourceURLs.some((pattern) => urlMatches(pattern, attributes.path));
  return (
    matches(rule.apiGroups, attributes.apiGroup) &&
    resourceMatches(rule.resources, attributes.resource, attributes.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

/** A rule as messages about escalation show it: `{APIGroups:[""], Resources:["pods"], Verbs:["*"]}`. */
export function describeRule(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (label: string, values: readonly string[]): void => {
    if (values.length > 0) parts.push(`${label}:${quoteList(values)}`);
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('ResourceNames', rule.resourceNames);
  add('Verbs', rule.verbs);
  return `{${parts.join(', ')}}`;
}

/** Go's `%q` of a list of strings. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}

export function urlMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  if (!pattern.endsWith('*')) return false;
  let end = pattern.length;
  while (pattern[end - 1] === '*') end--;
  return path.startsWith(pattern.slice(0, end));
}

function matches(values: readonly string[], wanted: string): boolean {
  return values.includes('*') || values.includes(wanted);
}

function resourceMatches(resources: readonly string[], resource: string, subresource: string): boolean {
  if (subresource === '') return matches(resources, resource);
  return (
    resources.includes('*') ||
    resources.includes(`${resource}/${subresource}`) ||
    resources.includes(`*/${subresource}`)
  );
}
