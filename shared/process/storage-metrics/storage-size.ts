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
  /** Opens it; it connects with the first call. */
  readonly open: () => Pick<Storage, 'databaseBytes'>;
}

/**
 * The size at each address, -1 where it does not answer. It is hidden since 1.28, so nobody is asked unless the family
 * is shown, and then at most once in an interval (`--etcd-db-metric-poll-interval`).
 */
export function sizeByAddress(addresses: readonly EtcdAddress[], intervalMs: number): Family {
  const opened = addresses.map(({ endpoint, open }) => {
    let storage: Pick<Storage, 'databaseBytes'> | undefined;
    return { labels: [endpoint], ask: () => (storage ??= open()).databaseBytes(patienceMs).catch(() => -1) };
  });
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
      samples = await Promise.all(opened.map(async ({ labels, ask }) => ({ labels, value: await ask() })));
    },
  };
}
