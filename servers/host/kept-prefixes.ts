import { masterLeasesPrefix } from '#shared/process/master-leases.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { compactRevisionKey } from '#shared/storage/etcd-storage/compaction-loop.ts';

/** Written to raise the revision of a new store. */
export const raisedKey = '/quarterdeck/raised';

/**
 * Prefixes of the keys that the servers write for themselves: a rollback leaves them, since the servers that they tell
 * of are still there.
 */
export function keptPrefixes({ etcdPrefix }: ServerOptions): readonly string[] {
  return [
    compactRevisionKey.toString(),
    raisedKey,
    ...[
      masterLeasesPrefix,
      '/leases/kube-system/apiserver-',
      '/services/endpoints/default/kubernetes',
      '/endpointslices/default/kubernetes',
    ].map((path) => `${etcdPrefix}${path}`),
  ];
}
