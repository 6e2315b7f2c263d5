import { createStorage } from '../storage/create-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { ProcessOptions } from './data-directory.ts';

/** Opens the storage of a process: the embedded store, or the etcd of the flags. One process in the system compacts. */
export function openStorage({ server: options, sockets }: ProcessOptions, compacts = false): Storage {
  return createStorage({
    framesSocketPath: sockets.store,
    endpoints: options.etcdServers,
    prefix: options.etcdPrefix,
    ...(compacts ? { compactionIntervalMs: options.etcdCompactionInterval } : {}),
    ...(options.etcdCafile === '' && options.etcdCertfile === '' ? {} : {
      tls: { caFile: options.etcdCafile || undefined, certFile: options.etcdCertfile || undefined, keyFile: options.etcdKeyfile || undefined },
    }),
  });
}
