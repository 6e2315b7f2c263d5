import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { path, invalid, fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { toServed, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { parseEntry } from '#shared/registry/create-resource-caches.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import type { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import { AgeClock } from '#shared/serializer/table/age-clock.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { joinedItems } from './joined-items.ts';
import { listBodyChunks, type ListBody } from './list-body.ts';
import { metaGroup, metaSchema, partialMetadata, type MetaVersion } from './metadata-form.ts';
import { columnsText, hasDefaultColumns } from './table-columns.ts';
import { appendRow, rowOf, rowOfObject, type IncludeObject } from './table-rows.ts';

/** `meta.k8s.io` TableOptions. */
export interface TableOptions {
  readonly includeObject: IncludeObject;
  readonly noHeaders: boolean;
}

export const plainTable: TableOptions = { includeObject: 'Metadata', noHeaders: false };

/** Throws 400 for an unknown `includeObject`. */
export function parseTableOptions(query: QueryParameters): TableOptions {
  const include = query.get('includeObject') ?? '';
  if (include === '') return plainTable;
  if (include !== 'Metadata' && include !== 'Object' && include !== 'None') {
    const error = invalid(path('includeObject'), include, "must be 'Metadata', 'Object', 'None', or empty");
    throw newBadRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`);
  }
  return { includeObject: include, noHeaders: false };
}

const comma = Buffer.from(',');
const tail = Buffer.from(']}');
const nullTail = Buffer.from('null}');
const open = Buffer.from('[');

/** JSON of a Table with one row per entry, without a line break. */
export function tableListBody(
  scope: RequestScope,
  entries: readonly CacheEntry[],
  metadata: JsonObject,
  version: MetaVersion,
  options: TableOptions,
): ListBody {
  const head = Buffer.from(tableHead(scope, metadata, version, options.noHeaders));
  const clock = new AgeClock(Math.floor(objectNowMs() / 1000) * 1000);
  const form = { formId: `table ${scope.formId} ${version} ${options.includeObject}`, clock, between: comma };
  const rows = { scope, version, include: options.includeObject, clock };
  const item = (entry: CacheEntry): readonly Uint8Array[] => rowOf(rows, entry);
  // The reference's default printer leaves `rows` nil where the list is empty.
  if (entries.length === 0 && scope.schema.custom === undefined && hasDefaultColumns(scope.facts))
    return { ...form, head: [head], entries, item, tail: [nullTail] };
  const ordered = inRowOrder(scope, entries);
  const append = (entry: CacheEntry, out: JoinedBytes): void => appendRow(rows, entry, out);
  const joined = (start: number, end: number): Iterable<Uint8Array> =>
    joinedItems(ordered, start, end, comma, { item, append });
  return { ...form, head: [head, open], entries: ordered, item, joined, tail: [tail] };
}

/** The bytes of {@link tableListBody} at once. */
export function tableBody(
  scope: RequestScope,
  entries: readonly CacheEntry[],
  metadata: JsonObject,
  version: MetaVersion,
  options: TableOptions,
): Uint8Array[] {
  return listBodyChunks(tableListBody(scope, entries, metadata, version, options));
}

/** The entries in the order of their rows: a few kinds are not shown in the order of the list. */
function inRowOrder(scope: RequestScope, entries: readonly CacheEntry[]): readonly CacheEntry[] {
  const { order } = scope.rows;
  if (order === undefined || entries.length < 2) return entries;
  return entries
    .map((entry) => ({ entry, object: atOnce(parseEntry(entry)) }))
    .sort((a, b) => order(a.object, b.object))
    .map(({ entry }) => entry);
}

function tableHead(scope: RequestScope, metadata: JsonObject, version: MetaVersion, noHeaders: boolean): string {
  const columns = noHeaders ? 'null' : columnsText(scope);
  return `{"kind":"Table","apiVersion":"${metaGroup}/${version}","metadata":${listMetaText(metadata)},"columnDefinitions":${columns},"rows":`;
}

/** ListMeta in its canonical order. */
export function listMetaText(metadata: JsonObject): string {
  const parts: string[] = [];
  for (const key of ['resourceVersion', 'continue', 'remainingItemCount', 'shardInfo']) {
    const value = getKey(metadata, key);
    if (value !== undefined && value !== '' && value !== '0') parts.push(`"${key}":${looseText(value)}`);
  }
  return `{${parts.join(',')}}`;
}

/** The Table of a list whose objects are not in a cache. */
export function tableOfObjects(
  scope: RequestScope,
  objects: readonly KubeObject[],
  version: MetaVersion,
  options: TableOptions,
): Buffer[] {
  const clock = new AgeClock(objectNowMs());
  const rows = objects.flatMap((object, index) => [
    ...(index > 0 ? [comma] : []),
    ...rowOfObject(scope, object, shownText(scope, object, version, options.includeObject), clock),
  ]);
  return [Buffer.from(tableHead(scope, {}, version, options.noHeaders)), open, ...rows, tail];
}

/** The Table of an object that is not in a cache, or of a bookmark. */
export function tableOfObject(
  scope: RequestScope,
  object: KubeObject,
  version: MetaVersion,
  options: TableOptions,
): Buffer[] {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  const head = Buffer.from(tableHead(scope, metadata, version, options.noHeaders));
  return [
    head,
    open,
    ...rowOfObject(
      scope,
      object,
      shownText(scope, object, version, options.includeObject),
      new AgeClock(objectNowMs()),
    ),
    tail,
  ];
}

function shownText(scope: RequestScope, object: KubeObject, version: MetaVersion, include: IncludeObject): string {
  switch (include) {
    case 'None':
      return 'null';
    case 'Object':
      return jsonText(scope.schema, toServed(scope, object));
    case 'Metadata':
      return jsonText(
        metaSchema(scope.env.facts, version, 'PartialObjectMetadata'),
        partialMetadata(version, object.metadata),
      );
  }
}
