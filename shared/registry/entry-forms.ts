import { ownBytes } from '#shared/apimachinery/bytes/own-bytes.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

const overheadBytes = 200;
/**
 * A longer form is not cached: a list of such objects would evict thousands of other forms and be evicted itself before
 * its next use.
 */
const longestKept = 512 * 1024;

/** The forms of one object version other than its stored JSON. */
interface Forms {
  readonly byId: Map<string, Buffer>;
  bytes: number;
}

/** Bounded over all resources: the least recently used forms are evicted and made again at the next use. */
const cache = budgetedCache<CacheEntry, Forms>('forms', (forms) => forms.bytes + overheadBytes);

/** A form of an object version, made at its first use. Entries are immutable, so a form never goes stale. */
export function entryFormOf(entry: CacheEntry, formId: string, make: () => Buffer): Buffer {
  const forms = cache.get(entry) ?? { byId: new Map<string, Buffer>(), bytes: 0 };
  const known = forms.byId.get(formId);
  if (known !== undefined) return known;
  const fresh = make();
  if (fresh.length > longestKept) return fresh;
  const made = ownBytes(fresh);
  forms.byId.set(formId, made);
  forms.bytes += made.length;
  cache.delete(entry);
  cache.set(entry, forms);
  return made;
}

/** Drops all forms of an object version that was replaced. */
export function forgetForms(entry: CacheEntry): void {
  cache.delete(entry);
}
