import type { Facts } from '#shared/api/facts.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { namedServers } from '#shared/server/options/etcd-addresses.ts';
import { storageOverrides } from '#shared/server/options/storage-overrides.ts';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { PartitionedStorage, storagesOf } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { ProcessOptions } from './data-directory.ts';
import { CountedTransport } from './storage-metrics/counted-transport.ts';
import { leaseObjects } from './storage-metrics/lease-objects.ts';
import { MeasuredStorage } from './storage-metrics/measured-storage.ts';
import { callsByKey } from './storage-metrics/resource-calls.ts';
import { sizeByAddress, storageSize } from './storage-metrics/storage-size.ts';

export interface OpenStorageOptions {
  /** The resources whose calls are counted. */
  readonly facts: Facts;
  /** Whether this process compacts the storage, as exactly one process of the system must. Default: no. */
  readonly compacts?: boolean;
  /** The Unix socket through which an etcd is reached. Default: connections to etcd are direct. */
  readonly socketTo?: ((hostPort: string) => Promise<string>) | undefined;
  /** Makes a storage encrypt its values. Default: they are stored as they are. */
  readonly encrypting?: ((storage: Storage) => Storage) | undefined;
}

/** Opens the storage of a process: the embedded store, or the etcd named by flags. Its calls are counted. */
export function openStorage(
  process: ProcessOptions,
  { facts, compacts = false, socketTo, encrypting = (storage) => storage }: OpenStorageOptions,
): Storage {
  const { server: options, sockets } = process;
  const callsOf = callsByKey(facts);
  const open = (endpoints: readonly string[], framesSocketPath?: string): Storage =>
    encrypting(new MeasuredStorage(openEtcd(process, { endpoints, framesSocketPath, compacts, socketTo }), callsOf));
  const main = open(namedServers(options.etcdServers), sockets.store);
  const overrides = storageOverrides(options.etcdServersOverrides);
  if (overrides.length === 0) return main;
  return new PartitionedStorage(
    main,
    new Map(overrides.map(({ storagePrefix, endpoints }) => [storagePrefix, open(endpoints)])),
  );
}

interface EtcdOptions extends Pick<OpenStorageOptions, 'compacts' | 'socketTo'> {
  readonly endpoints: readonly string[];
  readonly framesSocketPath?: string | undefined;
}

function openEtcd({ server: options }: ProcessOptions, { endpoints, ...etcd }: EtcdOptions): Storage {
  const { framesSocketPath, compacts, socketTo } = etcd;
  return createStorage({
    measured: (transport) => new CountedTransport(transport),
    framesSocketPath,
    endpoints,
    prefix: options.etcdPrefix,
    leaseReuseSeconds: options.leaseReuseDurationSeconds,
    onLease: (objects) => leaseObjects.observe(objects),
    socketTo,
    ...(compacts === true ? { compactionIntervalMs: options.etcdCompactionInterval } : {}),
    ...(options.etcdCafile === '' && options.etcdCertfile === ''
      ? {}
      : {
          tls: {
            caFile: options.etcdCafile || undefined,
            certFile: options.etcdCertfile || undefined,
            keyFile: options.etcdKeyfile || undefined,
          },
        }),
  });
}

/** The families of the sizes of a process's storage. */
export function storageSizeMetrics(
  process: ProcessOptions,
  storage: Storage,
  socketTo?: OpenStorageOptions['socketTo'],
): Family[] {
  const { etcdServers, etcdServersOverrides, etcdDbMetricPollInterval: intervalMs } = process.server;
  const size = storageSize(storagesOf(storage));
  if (intervalMs === 0) return [size];
  const named = [etcdServers, ...storageOverrides(etcdServersOverrides).map(({ endpoints }) => endpoints)];
  const addresses = [...new Set(named.flatMap((endpoints) => namedServers(endpoints)))];
  const ofEtcds = addresses.map((endpoint) => ({
    endpoint,
    // Hardly anybody asks, and not often: the connection is not kept.
    async ask(timeoutMs: number) {
      const etcd = openEtcd(process, { endpoints: [endpoint], socketTo });
      try {
        return await etcd.databaseBytes(timeoutMs);
      } finally {
        await etcd.close();
      }
    },
  }));
  const { store } = process.sockets;
  const ofStore = { endpoint: 'store', ask: (timeoutMs: number) => storage.databaseBytes(timeoutMs) };
  return [size, sizeByAddress(store === undefined ? ofEtcds : [ofStore, ...ofEtcds], intervalMs)];
}
