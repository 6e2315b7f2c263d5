import { budgetedCache } from '../../caches/budgeted-cache.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';

const overheadBytes = 200;
/**
 * A longer form is not kept: a list of such objects would take the place of thousands of others and be gone before it
 * is asked for again.
 */
const longestKept = 512 * 1024;

/** The forms of one object version that are not its stored JSON. */
interface Forms {
  readonly byId: Map<string, Buffer>;
  bytes: number;
}

/** Bounded over all resources: what nobody asked for lately is made again when wanted. */
const cache = budgetedCache<CacheEntry, Forms>('forms', (forms) => forms.bytes + overheadBytes);

/** A form of an object version, made when first wanted. Entries are immutable, so a form never goes stale. */
export function entryFormOf(entry: CacheEntry, formId: string, make: () => Buffer): Buffer {
  const forms = cache.get(entry) ?? { byId: new Map<string, Buffer>(), bytes: 0 };
  const known = forms.byId.get(formId);
  if (known !== undefined) return known;
  const made = make();
  if (made.length > longestKept) return made;
  forms.byId.set(formId, made);
  forms.bytes += made.length;
  cache.delete(entry);
  cache.set(entry, forms);
  return made;
}
