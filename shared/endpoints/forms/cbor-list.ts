import { cborItemOfJson, cborListHead } from '../../serializer/cbor/encode.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';
import type { RequestScope } from '../request/request-scope.ts';
import { entryFormOf } from './entry-forms.ts';
import type { ListBody } from './list-body.ts';
import { jsonOf } from './object-forms.ts';

const nothing = Buffer.alloc(0);

/**
 * A list in CBOR: all members but the items are those of its JSON, whose items are left aside; each item is made by
 * itself.
 */
export function cborListBody(json: ListBody, item: (entry: CacheEntry) => Buffer): ListBody {
  const head = cborListHead(Buffer.concat([...json.head, ...json.tail]), 'items', json.entries.length);
  return {
    ...json,
    formId: `cbor ${json.formId}`,
    head: [head],
    between: nothing,
    item: (entry) => [item(entry)],
    tail: [],
  };
}

/** An object as it stands in a list: those of built-in types do not say their kind there. */
export function cborItemOf(scope: RequestScope, entry: CacheEntry): Buffer {
  const unsaid = scope.schema.custom === undefined ? ['kind', 'apiVersion'] : [];
  return entryFormOf(entry, `cbor item ${scope.formId}`, () =>
    cborItemOfJson(scope.schema, jsonOf(scope, entry), unsaid),
  );
}
