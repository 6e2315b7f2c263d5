import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** The conversion strategy Webhook, as the form uses it. */
export interface FormConversion {
  /** Entries in another version, in order; `fresh` uses no earlier conversion. */
  readonly entries: (
    entries: readonly CacheEntry[],
    apiVersion: string,
    fresh?: boolean,
  ) => readonly CacheEntry[] | Promise<readonly CacheEntry[]>;
  /** An object in another version. */
  readonly object: (object: KubeObject, apiVersion: string) => Steps<KubeObject>;
}
