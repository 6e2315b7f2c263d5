import { StorageError } from './storage.ts';

/**
 * What to do about a stored object that cannot be decoded. `key` is without the prefix of the cluster, which
 * `quarterdeck store delete` adds.
 * An object that cannot be decrypted is no damage.
 */
export function undecodable(key: string, prefix = '/registry', error?: unknown): string {
  if (error instanceof StorageError && error.code === 'Unreadable')
    return `${key} cannot be decrypted, and is not served: the file of --encryption-provider-config has to name the provider and the key that encrypted it`;
  return `${key} cannot be decoded, and is not served: remove it with "quarterdeck store delete ${key}" (of an etcd "etcdctl del ${prefix}${key}"), or go back to a snapshot with "quarterdeck store snapshot restore"`;
}
