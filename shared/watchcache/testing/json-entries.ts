import { Buffer } from 'node:buffer';
import type { StoredKeyValue } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** An object as tests store it: `{"labels":{…}}` below `/things/<namespace>/<name>`. */
export function thing(labels: Record<string, string>): Buffer {
  return Buffer.from(JSON.stringify({ labels }));
}

/** Decodes {@link thing} to the served form. */
export function decodeThing(kv: StoredKeyValue): CacheEntry {
  const [, , namespace = '', name = ''] = kv.key.split('/');
  const { labels } = JSON.parse(Buffer.from(kv.value).toString()) as { labels: Record<string, string> };
  const metadata = { name, namespace, resourceVersion: String(kv.modRevision), labels };
  const json = Buffer.from(JSON.stringify({ kind: 'Thing', metadata }));
  return { key: kv.key, namespace, name, revision: kv.modRevision, json, labels, fields: undefined };
}
