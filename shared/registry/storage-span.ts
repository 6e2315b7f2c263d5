import { activeSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * The span of a write, as the reference's storage names it (apiserver/pkg/storage/etcd3/store.go); undefined for a
 * request that is not traced.
 */
export function storageSpan(
  { facts, form }: ObjectStore,
  operation: 'Create' | 'GuaranteedUpdate',
  key: string,
): RequestSpan | undefined {
  const active = activeSpan();
  if (active === undefined) return undefined;
  const { group, resource, kind } = facts;
  // Events of both groups are one internal type.
  const goPackage = group === '' || group === 'events.k8s.io' ? 'core' : group.replace(/\..*/s, '');
  return active.child(`${operation} etcd3`, {
    'audit-id': active.request.auditId,
    key,
    type: form.schema.custom === undefined ? `*${goPackage}.${kind}` : '*unstructured.Unstructured',
    group,
    resource,
  });
}
