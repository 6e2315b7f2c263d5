import type { EtcdCluster } from '#test/etcd-cluster.ts';

/** In bytes; a server's own objects take a fraction of it. */
export const smallQuota = 8 * 1024 * 1024;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function call(etcd: EtcdCluster, path: string, body: unknown): Promise<Response> {
  return fetch(etcd.endpoints + path, { method: 'POST', body: JSON.stringify(body) });
}

/** Deletes all keys below a prefix, which ends with a slash. */
export async function deleteKeys(etcd: EtcdCluster, prefix: string): Promise<void> {
  const end = `${prefix.slice(0, -1)}0`;
  const answer = await call(etcd, '/v3/kv/deleterange', { key: base64(prefix), range_end: base64(end) });
  if (!answer.ok) throw new Error(`etcd does not delete ${prefix}: ${await answer.text()}`);
}

/** Fills an etcd of {@link smallQuota} until it refuses writes. */
export async function fill(etcd: EtcdCluster): Promise<void> {
  const value = base64('a'.repeat(512 * 1024));
  for (let count = 0; count < 100; count++)
    if (!(await call(etcd, '/v3/kv/put', { key: base64(`/filling/${count}`), value })).ok) return;
  throw new Error('etcd takes more than its quota');
}
