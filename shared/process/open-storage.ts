import { namedServers } from '#shared/server/options/etcd-addresses.ts';
import { storageOverrides } from '#shared/server/options/storage-overrides.ts';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { PartitionedStorage } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { ProcessOptions } from './data-directory.ts';

export interface OpenStorageOptions {
  /** Whether this process compacts the storage, as exactly one process of the system must. Default: no. */
  readonly compacts?: boolean;
  /** The Unix socket through which an etcd is reached. Default: connections to etcd are direct. */
  readonly socketTo?: ((hostPort: string) => Promise<string>) | undefined;
  /** Makes a storage encrypt its values. Default: they are stored as they are. */
  readonly encrypting?: ((storage: Storage) => Storage) | undefined;
}

/** Opens the storage of a process: the embedded store, or the etcd named by flags. */
export function openStorage(
  { server: options, sockets }: ProcessOptions,
  { compacts, socketTo, encrypting = (storage) => storage }: OpenStorageOptions = {},
): Storage {
  const open = (endpoints: readonly string[], framesSocketPath?: string): Storage =>
    encrypting(
      createStorage({
        framesSocketPath,
        endpoints,
        prefix: options.etcdPrefix,
        leaseReuseSeconds: options.leaseReuseDurationSeconds,
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
      }),
    );
  const main = open(namedServers(options.etcdServers), sockets.store);
  const overrides = storageOverrides(options.etcdServersOverrides);
  if (overrides.length === 0) return main;
  return new PartitionedStorage(
    main,
    new Map(overrides.map(({ storagePrefix, endpoints }) => [storagePrefix, open(endpoints)])),
  );
}
