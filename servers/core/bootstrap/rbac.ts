import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { bootstrapRbac } from '../../../shared/api/bootstrap-objects.ts';
import type { FeatureGates } from '../../../shared/api/feature-gates.ts';
import { withGatedRoles } from '../../../shared/api/gated-roles.ts';
import { isObject, type JsonObject } from '../../../shared/apimachinery/json.ts';
import { asKubeObject, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureObject } from './ensure-object.ts';
import { systemContext } from './system-context.ts';

const group = 'rbac.authorization.k8s.io';
const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Post-start hook `rbac/bootstrap-roles`: makes the bootstrap roles and bindings and adds to those that are there what
 * they lack, unless they opted out by the autoupdate annotation. Nothing is taken away.
 */
export async function ensureRbac(core: CoreContext, gates: FeatureGates): Promise<void> {
  const facts = withGatedRoles(bootstrapRbac(), gates);
  await Promise.all([
    ...facts.clusterRoles.map((role) => reconcile(core, 'clusterroles', 'ClusterRole', role)),
    ...facts.roles.map((role) => reconcile(core, 'roles', 'Role', role)),
  ]);
  await Promise.all([
    ...facts.clusterRoleBindings.map((binding) => reconcile(core, 'clusterrolebindings', 'ClusterRoleBinding', binding)),
    ...facts.roleBindings.map((binding) => reconcile(core, 'rolebindings', 'RoleBinding', binding)),
  ]);
}

async function reconcile(core: CoreContext, resource: string, kind: string, facts: JsonObject): Promise<void> {
  const wanted = asKubeObject({ apiVersion: `${group}/v1`, kind, ...facts });
  if (await ensureObject(core, group, resource, cloneJson(wanted))) return;
  const store = core.store(group, resource);
  const namespace = wanted.metadata.namespace ?? '';
  const name = wanted.metadata.name ?? '';
  const present = store.parse(await store.get(namespace, name));
  if (present.metadata.annotations?.[autoupdate] === 'false' || !addMissing(present, wanted)) return;
  await store.update(systemContext(namespace), { name, subresource: '', retryOnConflict: true, transform: (existing) => (addMissing(existing as KubeObject, wanted), existing as KubeObject) });
}

/** Adds rules, subjects, labels and annotations that are missing. True if something was. */
function addMissing(present: KubeObject, wanted: KubeObject): boolean {
  const rules = objectsAt(wanted, 'rules').filter((rule) => !objectsAt(present, 'rules').some((other) => covers(other, rule)));
  const subjects = objectsAt(wanted, 'subjects').filter((subject) => !objectsAt(present, 'subjects').some((other) => sameSubject(other, subject)));
  if (rules.length > 0) present['rules'] = [...objectsAt(present, 'rules'), ...rules];
  if (subjects.length > 0) present['subjects'] = [...objectsAt(present, 'subjects'), ...subjects];
  const aggregated = isObject(wanted['aggregationRule']) && !isObject(present['aggregationRule']);
  if (aggregated && wanted['aggregationRule'] !== undefined) present['aggregationRule'] = wanted['aggregationRule'];
  const marked = [addStrings(present, 'labels', wanted.metadata.labels), addStrings(present, 'annotations', wanted.metadata.annotations)];
  return rules.length > 0 || subjects.length > 0 || aggregated || marked.includes(true);
}

function covers(rule: JsonObject, wanted: JsonObject): boolean {
  return ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'].every((key) => {
    const has = new Set(stringsAt(rule, key));
    const needs = stringsAt(wanted, key);
    if (key === 'resourceNames' && has.size === 0) return true;
    if (key === 'resourceNames' && needs.length === 0) return false;
    return has.has('*') || needs.every((item) => has.has(item));
  });
}

function sameSubject(a: JsonObject, b: JsonObject): boolean {
  return ['kind', 'name', 'namespace'].every((key) => stringAt(a, key) === stringAt(b, key));
}

function addStrings(object: KubeObject, field: 'labels' | 'annotations', wanted: Record<string, string> | undefined): boolean {
  const missing = Object.entries(wanted ?? {}).filter(([key]) => object.metadata[field]?.[key] === undefined);
  if (missing.length > 0) object.metadata[field] = { ...object.metadata[field], ...Object.fromEntries(missing) };
  return missing.length > 0;
}
