import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';

/** Reads `deployments.apps`: all after the first point is the group (apimachinery's ParseGroupResource). */
export function parseGroupResource(text: string): GroupResource {
  const point = text.indexOf('.');
  return point < 0 ? { group: '', resource: text } : { group: text.slice(point + 1), resource: text.slice(0, point) };
}

/** The text of a rule, which {@link parseGroupResource} reads; `*.` for all of the core group. */
export function encryptionRuleText(rule: GroupResource): string {
  return rule.group === '' && rule.resource === '*' ? '*.' : formatGroupResource(rule);
}

/** The rules that hold for a resource, the first that there is before all others. */
export function rulesFor({ group, resource }: GroupResource): string[] {
  return [formatGroupResource({ group, resource }), formatGroupResource({ group, resource: '*' }), '*.*'];
}
