import { setTimeout as sleep } from 'node:timers/promises';
import { everyMs, type Target } from './target.ts';

const prefix = '/registry/masterleases/';

/** Reads the addresses of API servers from etcd (`pkg/controlplane/reconcilers/lease.go`). */
export async function probeAddresses({ timeline, over }: Target, etcdUrl: string): Promise<void> {
  while (!over.aborted) {
    const readAtMs = performance.now();
    timeline.note('master leases', (await keysBelow(etcdUrl, prefix)).join(' ') || 'none', readAtMs);
    await sleep(everyMs);
  }
}

/** The keys below a prefix, without it. */
async function keysBelow(etcdUrl: string, from: string): Promise<string[]> {
  const end = from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) + 1);
  const answer = await fetch(`${etcdUrl}/v3/kv/range`, {
    method: 'POST',
    body: JSON.stringify({ key: base64(from), range_end: base64(end), keys_only: true }),
  });
  const { kvs = [] } = (await answer.json()) as { readonly kvs?: readonly { readonly key: string }[] };
  return kvs.map(({ key }) => Buffer.from(key, 'base64').toString().slice(from.length));
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
