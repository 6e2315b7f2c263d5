import { boolKind, durationKind, intKind, stringKind, stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const etcd = 'Etcd';

/** Flags of storage. */
export const storageFlags = {
  dataDir: flag(
    stringKind,
    'Quarterdeck',
    '.quarterdeck',
    'Folder of the embedded store, keys, certificates, kubeconfig and sockets. Not a flag of kube-apiserver.',
  ),
  deleteCollectionWorkers: flag(intKind, etcd, 1, 'Parallel deletions in a request that deletes a collection.'),
  enableGarbageCollector: flag(
    boolKind,
    etcd,
    true,
    'Whether deletion with orphan and foreground propagation leaves finalizers for a garbage collector.',
  ),
  etcdCafile: flag(stringKind, etcd, '', 'CA of the etcd servers, PEM.'),
  etcdCertfile: flag(stringKind, etcd, '', 'Client certificate for etcd, PEM.'),
  etcdCompactionInterval: flag(durationKind, etcd, 300_000, 'Time between compactions; 0 leaves compaction to others.'),
  etcdHealthcheckTimeout: flag(durationKind, etcd, 2000, 'Time-out of the etcd health check.'),
  etcdKeyfile: flag(stringKind, etcd, '', 'Private key of --etcd-certfile, PEM.'),
  etcdPrefix: flag(stringKind, etcd, '/registry', 'What all keys begin with.'),
  etcdReadycheckTimeout: flag(durationKind, etcd, 2000, 'Time-out of the etcd readiness check.'),
  etcdServers: flag(
    stringsKind,
    etcd,
    [],
    'Addresses of a real etcd cluster (scheme://host:port). Without any, the embedded store is started.',
  ),
  etcdServersOverrides: flag(stringsKind, etcd, [], 'Other etcd servers for a resource, as group/resource#url;url.'),
  leaseReuseDurationSeconds: flag(
    intKind,
    etcd,
    60,
    'For how long an etcd lease is given to further keys of about the same time to live.',
  ),
  storageBackend: flag(stringKind, etcd, '', 'Kind of storage; only etcd3.'),
  storageMediaType: flag(
    stringKind,
    etcd,
    'application/vnd.kubernetes.protobuf',
    'Form in which built-in types are stored: application/json (also where it is empty), application/yaml or application/vnd.kubernetes.protobuf. All are read.',
  ),
  watchCache: flag(
    boolKind,
    etcd,
    true,
    'Whether lists at resourceVersion 0 are whole, whatever their limit. Reads always come from the watch cache.',
  ),
  encryptionProviderConfig: flag(
    stringKind,
    etcd,
    '',
    'File with an EncryptionConfiguration: which resources are stored encrypted, and how.',
  ),
  encryptionProviderConfigAutomaticReload: flag(
    boolKind,
    etcd,
    false,
    'Whether that file is read again when it changes.',
  ),
  etcdCountMetricPollPeriod: flag(
    durationKind,
    etcd,
    60_000,
    'Time between counts of the objects of each resource; 0 for none.',
  ),
  etcdDbMetricPollInterval: flag(
    durationKind,
    etcd,
    30_000,
    'Time between questions for the size of the database; 0 for none.',
  ),
  watchCacheSizes: flag(
    stringsKind,
    etcd,
    [],
    'Whether single resources have a watch cache, as resource[.group]#size: with size 0 lists at resourceVersion 0 are paged; all other sizes are alike. Not for custom resources.',
  ),
  defaultWatchCacheSize: flag(intKind, etcd, 100, 'Size of watch caches. Sizes follow the load instead.', {
    hidden: true,
  }),
};
