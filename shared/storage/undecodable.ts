/**
 * What to do about a stored object that cannot be decoded. `key` is without the prefix of the cluster, which
 * `quarterdeck store delete` adds.
 */
export function undecodable(key: string, prefix = '/registry'): string {
  return `${key} cannot be decoded, and is not served: remove it with "quarterdeck store delete ${key}" (of an etcd "etcdctl del ${prefix}${key}"), or go back to a snapshot with "quarterdeck store snapshot restore"`;
}
