import type { Facts } from '../../api/facts.ts';
import { path, invalid, fieldErrorText } from '../../apimachinery/field-error.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { newBadRequest } from '../../apimachinery/status.ts';
import { looseText } from '../../serializer/json/loose.ts';
import { jsonText } from '../../serializer/json/encode.ts';
import { quoteJson } from '../../serializer/json/go-text.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';
import { toServed, type RequestScope } from '../request-scope.ts';
import { jsonOf, servedObject } from './object-forms.ts';
import { metadataJson, metaGroup, metaSchema, partialMetadata, type MetaVersion } from './metadata-form.ts';
import { cellsOf, columnsOf } from './table-cells.ts';
import { rememberRow } from './table-rows.ts';

/** `meta.k8s.io` TableOptions. */
export interface TableOptions {
  readonly includeObject: 'Metadata' | 'Object' | 'None';
  readonly noHeaders: boolean;
}

const plain: TableOptions = { includeObject: 'Metadata', noHeaders: false };

/** Throws 400 for an unknown `includeObject`. */
export function parseTableOptions(query: URLSearchParams): TableOptions {
  const include = query.get('includeObject') ?? '';
  if (include === '') return plain;
  if (include !== 'Metadata' && include !== 'Object' && include !== 'None') {
    const error = invalid(path('includeObject'), include, "must be 'Metadata', 'Object', 'None', or empty");
    throw newBadRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`);
  }
  return { includeObject: include, noHeaders: false };
}

/** JSON of a Table with one row an entry, without a line break. */
export function tableBody(facts: Facts, scope: RequestScope, entries: readonly CacheEntry[], metadata: JsonObject, version: MetaVersion, options: TableOptions): Buffer[] {
  const rows = entries.map((entry, index) => {
    const row = tableRow(facts, scope, entry, version, options.includeObject);
    return index === 0 ? [row] : [comma, row];
  });
  return [Buffer.from(tableHead(scope, metadata, version, options.noHeaders)), ...rows.flat(), tail];
}

const comma = Buffer.from(',');
const tail = Buffer.from(']}');

function tableHead(scope: RequestScope, metadata: JsonObject, version: MetaVersion, noHeaders: boolean): string {
  const columns = noHeaders ? 'null' : columnsText(scope);
  return `{"kind":"Table","apiVersion":"${metaGroup}/${version}","metadata":${listMetaText(metadata)},"columnDefinitions":${columns},"rows":[`;
}

/** ListMeta in its canonical order. */
export function listMetaText(metadata: JsonObject): string {
  const parts: string[] = [];
  for (const key of ['resourceVersion', 'continue', 'remainingItemCount']) {
    const value = metadata[key];
    if (value !== undefined && value !== '') parts.push(`"${key}":${looseText(value)}`);
  }
  return `{${parts.join(',')}}`;
}

function columnsText(scope: RequestScope): string {
  return `[${columnsOf(scope.facts).map((column) =>
    `{"name":${quoteJson(column.name)},"type":${quoteJson(column.type)},"format":${quoteJson(column.format)},"description":${quoteJson(column.description)},"priority":${column.priority}}`).join(',')}]`;
}

/** One row; kept while the ages in it still read the same. */
function tableRow(facts: Facts, scope: RequestScope, entry: CacheEntry, version: MetaVersion, include: TableOptions['includeObject']): Buffer {
  return rememberRow(entry, `${scope.formId} ${version} ${include}`, () => {
    const object = servedObject(scope, entry);
    return rowText(cellsOf(scope.facts, object), rowObjectText(facts, scope, entry, version, include));
  });
}

function rowObjectText(facts: Facts, scope: RequestScope, entry: CacheEntry, version: MetaVersion, include: TableOptions['includeObject']): string {
  switch (include) {
    case 'None': return 'null';
    case 'Object': return jsonOf(scope, entry).toString('utf8');
    case 'Metadata': return metadataJson(facts, version, entry).toString('utf8');
  }
}

function rowText(cells: readonly JsonValue[], object: string): Buffer {
  return Buffer.from(`{"cells":[${cells.map((cell) => looseText(cell)).join(',')}],"object":${object}}`, 'utf8');
}

/** The Table of an object that is not stored, or of a bookmark. */
export function tableOfObject(facts: Facts, scope: RequestScope, object: KubeObject, version: MetaVersion, options: TableOptions): Buffer[] {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  const partial = jsonText(metaSchema(facts, version, 'PartialObjectMetadata'), partialMetadata(version, object.metadata));
  const whole = options.includeObject === 'Object' ? jsonText(scope.schema, toServed(scope, object)) : partial;
  const row = rowText(cellsOf(scope.facts, object), options.includeObject === 'None' ? 'null' : whole);
  return [Buffer.from(tableHead(scope, metadata, version, options.noHeaders)), row, tail];
}
