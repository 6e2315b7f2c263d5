import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import { timed } from '#shared/request/timed.ts';
import { activeSpan, runSpan } from '#shared/spans/active-span.ts';

/**
 * Waits for the newest state. How new that is, is read from etcd: a list of nothing in the reference
 * (apiserver/pkg/storage/etcd3/store.go, GetCurrentResourceVersion).
 */
export function waitForNewest({ cache, facts }: ResourceStore, audit?: RequestAudit): Promise<number> {
  const active = activeSpan();
  if (active === undefined) return timed(audit, 'etcd', cache.waitForCurrent());
  const span = active.child('List(recursive=false) etcd3', () => ({
    'audit-id': active.request.auditId,
    key: `/${facts.storagePrefix}`,
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 1,
    continue: '',
  }));
  return runSpan(span, () => timed(audit, 'etcd', cache.waitForCurrent()));
}
