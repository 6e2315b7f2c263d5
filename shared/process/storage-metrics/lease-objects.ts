import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

/** How many objects shared each lease of etcd (apiserver/pkg/storage/etcd3/metrics). */
export const leaseObjects = processRegistry
  .histogram(
    'etcd_lease_object_counts',
    '[ALPHA] Number of objects attached to a single etcd lease.',
    [],
    [10, 50, 100, 500, 1000, 2500, 5000],
  )
  .of();
