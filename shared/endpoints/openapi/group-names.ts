/** `rbac.authorization.k8s.io`, `v1` → `rbacAuthorization_v1`: the tag of a group version's operations. */
export function tagOf(group: string, version?: string): string {
  const name = camel(group);
  return version === undefined ? name : `${name}_${version}`;
}

/** `rbac.authorization.k8s.io`, `v1` → `RbacAuthorizationV1`: follows the verb in operation ids. */
export function titleOf(group: string, version = ''): string {
  return title(camel(group)) + title(version);
}

export function title(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Path of a group version's documents, without slashes at the ends; without a version, the path of the group. */
export function rootOf(group: string, version?: string): string {
  const root = group === '' ? 'api' : `apis/${group}`;
  return version === undefined ? root : `${root}/${version}`;
}

/**
 * Removes every character except letters, digits and `_`, and capitalizes the next letter
 * (apiserver/pkg/endpoints/openapi, ToValidOperationID).
 */
function camel(group: string): string {
  if (group === '') return 'core';
  const [first = '', ...rest] = group.replace(/\.k8s\.io$/, '').split(/^\d|[^A-Za-z0-9_]+/);
  return first + rest.map(title).join('');
}
