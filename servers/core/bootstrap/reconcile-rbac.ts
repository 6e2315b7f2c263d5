import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { roleRefOf, policyRulesOf, type PolicyRule } from '#shared/authorization/rbac/policy-rule.ts';
import { missingRules } from '#shared/authorization/rbac/rule-cover.ts';

/** How to bring a binding to its wanted state. A roleRef is immutable, so another role needs a new binding. */
export type BindingChange = 'none' | 'update' | 'recreate';

/**
 * Adds missing labels, annotations, rules and aggregation selectors to a Role or ClusterRole; a rule that its own rules
 * cover is not missing. Additional rules stay; an unwanted aggregation is removed. Returns whether something changed.
 */
export function reconcileRole(role: KubeObject, wanted: KubeObject): boolean {
  const marked = addMarks(role, wanted);
  const rules = atOnce(missingRules(policyRulesOf(role), policyRulesOf(wanted))).map(ruleObject);
  if (rules.length > 0) role['rules'] = [...objectsAt(role, 'rules'), ...rules];
  return reconcileAggregation(role, wanted) || rules.length > 0 || marked;
}

/** The same for the subjects of a binding. */
export function reconcileBinding(binding: KubeObject, wanted: KubeObject): BindingChange {
  if (!semanticEqual({ ...roleRefOf(binding) }, { ...roleRefOf(wanted) })) return 'recreate';
  const marked = addMarks(binding, wanted);
  const present = objectsAt(binding, 'subjects');
  const subjects = objectsAt(wanted, 'subjects').filter(
    (subject) => !present.some((other) => sameSubject(other, subject)),
  );
  if (subjects.length > 0) binding['subjects'] = [...present, ...subjects];
  return marked || subjects.length > 0 ? 'update' : 'none';
}

function reconcileAggregation(role: KubeObject, wanted: KubeObject): boolean {
  const wantsNone = objectAt(wanted, 'aggregationRule') === undefined;
  const present = objectsAt(role, 'aggregationRule', 'clusterRoleSelectors');
  if (wantsNone && objectAt(role, 'aggregationRule') !== undefined) {
    delete role['aggregationRule'];
    return true;
  }
  const missing = objectsAt(wanted, 'aggregationRule', 'clusterRoleSelectors').filter(
    (selector) => !present.some((other) => semanticEqual(other, selector)),
  );
  if (missing.length > 0) role['aggregationRule'] = { clusterRoleSelectors: [...present, ...missing] };
  return missing.length > 0;
}

/** Adds missing labels and annotations; present ones keep their values. */
function addMarks(object: KubeObject, wanted: KubeObject): boolean {
  const added = (['labels', 'annotations'] as const).map((field) => {
    const missing = Object.entries(wanted.metadata[field] ?? {}).filter(
      ([key]) => getKey(object.metadata[field], key) === undefined,
    );
    if (missing.length > 0) object.metadata[field] = { ...object.metadata[field], ...Object.fromEntries(missing) };
    return missing.length > 0;
  });
  return added.includes(true);
}

function ruleObject(rule: PolicyRule): JsonObject {
  return Object.fromEntries(
    Object.entries(rule)
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => [key, [...values]]),
  );
}

function sameSubject(a: JsonObject, b: JsonObject): boolean {
  return ['kind', 'apiGroup', 'name', 'namespace'].every((key) => stringAt(a, key) === stringAt(b, key));
}
