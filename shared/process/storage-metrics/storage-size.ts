import type { Family, Sample } from '#shared/observability/metrics/family.ts';
import type { Storage } from '#shared/storage/storage.ts';

/** How long `/metrics` waits for an etcd that hangs (apiserver/pkg/storage/etcd3/metrics). */
const patienceMs = 1_000;

/** The size of the database of each etcd, which are numbered from the main one on. Asked for when it is shown. */
export function storageSize(storages: readonly Storage[]): Family {
  let samples: readonly Sample[] = [];
  return {
    name: 'apiserver_storage_size_bytes',
    type: 'gauge',
    help: '[STABLE] Size of the storage database file physically allocated in bytes.',
    labelNames: ['storage_cluster_id'],
    samples: () => samples,
    async refresh() {
      const sizes = await Promise.all(
        storages.map((storage) => storage.databaseBytes(patienceMs).catch(() => undefined)),
      );
      samples = sizes.flatMap((value, at) => (value === undefined ? [] : { labels: [`etcd-${at}`], value }));
    },
  };
}

/** One address of an etcd. */
export interface EtcdAddress {
  readonly endpoint: string;
  /** Asks it for its size; rejects if it does not answer in time. */
  readonly ask: (timeoutMs: number) => Promise<number>;
}

/**
 * The size at each address, -1 where it does not answer. It is hidden since 1.28, so nobody is asked unless the family
 * is shown, and then at most once in an interval (`--etcd-db-metric-poll-interval`).
 */
export function sizeByAddress(addresses: readonly EtcdAddress[], intervalMs: number): Family {
  let samples: readonly Sample[] = [];
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'apiserver_storage_db_total_size_in_bytes',
    type: 'gauge',
    help: '[ALPHA] (Deprecated since 1.28.0) Total size of the storage database file physically allocated in bytes.',
    labelNames: ['endpoint'],
    samples: () => samples,
    async refresh() {
      if (performance.now() - askedMs < intervalMs) return;
      askedMs = performance.now();
      samples = await Promise.all(
        addresses.map(async ({ endpoint, ask }) => ({
          labels: [endpoint],
          value: await ask(patienceMs).catch(() => -1),
        })),
      );
    },
  };
}
