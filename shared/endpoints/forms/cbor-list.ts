import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { entryFormOf } from '#shared/registry/entry-forms.ts';
import { cborItemOfJson, cborListHead } from '#shared/serializer/cbor/encode.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { ListBody } from './list-body.ts';
import { jsonOf } from './object-forms.ts';

const nothing = Buffer.alloc(0);

/** A list in CBOR: all members except the items are converted from the list's JSON; each item is encoded separately. */
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

/** An object as an item of a list: items of built-in types have no kind and apiVersion. */
export function cborItemOf(scope: RequestScope, entry: CacheEntry): Buffer {
  const unsaid = scope.schema.custom === undefined ? ['kind', 'apiVersion'] : [];
  return entryFormOf(entry, `cbor item ${scope.formId}`, () =>
    cborItemOfJson(scope.schema, jsonOf(scope, entry), unsaid),
  );
}
