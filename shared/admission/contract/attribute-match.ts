import type { GroupResource } from '#shared/apimachinery/gvk.ts';

/** True for this resource of the core group. */
export function isCore(resource: GroupResource, name: string): boolean {
  return resource.group === '' && resource.resource === name;
}

export function isPods(resource: GroupResource): boolean {
  return isCore(resource, 'pods');
}

export function isClaims(resource: GroupResource): boolean {
  return isCore(resource, 'persistentvolumeclaims');
}

export function isSigningRequests({ group, resource }: GroupResource): boolean {
  return group === 'certificates.k8s.io' && resource === 'certificatesigningrequests';
}
