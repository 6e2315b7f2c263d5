import { LRUCache } from 'lru-cache';
import type { Facts } from '../../api/facts.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseEntry } from '../../registry/create-resource-caches.ts';
import { looseText } from '../../serializer/json/loose.ts';
import { renderCells, type TableRow } from '../../serializer/table/cells.ts';
import { rowPrinter } from '../../serializer/table/table-row.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';
import type { TableForm } from '../../registry/rest.ts';
import type { RequestScope } from '../request-scope.ts';
import { metadataJson, type MetaVersion } from './metadata-form.ts';
import { jsonOf, servedObject } from './object-forms.ts';

export type IncludeObject = 'Metadata' | 'Object' | 'None';

/** A row but for its ages, which are printed when it is sent. */
interface PreparedRow {
  readonly row: TableRow;
  /** What follows the cells. */
  readonly rest: Buffer;
}

const maxBytes = 24 * 1024 * 1024;
const rows = new LRUCache<CacheEntry, Map<string, PreparedRow>>({
  maxSize: maxBytes,
  sizeCalculation: (forms) => [...forms.values()].reduce((total, form) => total + form.rest.length + form.row.cells.length * 32 + 200, 0),
});

/** The bytes of a row, its ages as of now. */
export function rowOf(facts: Facts, scope: RequestScope, entry: CacheEntry, version: MetaVersion, include: IncludeObject, nowMs: number): Buffer[] {
  const formId = `${scope.formId} ${version} ${include}`;
  const forms = rows.get(entry) ?? new Map<string, PreparedRow>();
  let prepared = forms.get(formId);
  if (prepared === undefined) {
    const row = printRow(scope, tableObject(scope, entry));
    prepared = { row, rest: restOf(row, objectText(facts, scope, entry, version, include)) };
    forms.set(formId, prepared);
    rows.delete(entry);
    rows.set(entry, forms);
  }
  return [cellsText(prepared.row, nowMs), prepared.rest];
}

/** The bytes of a row of an object that is not in a cache. */
export function rowOfObject(scope: RequestScope, object: KubeObject, shown: string, nowMs: number): Buffer[] {
  const row = printRow(scope, object);
  return [cellsText(row, nowMs), restOf(row, shown)];
}

function printRow(scope: RequestScope, object: JsonObject): TableRow {
  return (ownTable(scope)?.print ?? rowPrinter(scope.kind))(object);
}

/** Columns of a subresource, or those of a definition, for the object itself and what is a form of it. */
export function ownTable(scope: RequestScope): TableForm | undefined {
  return scope.subresource?.table ?? (scope.schema.custom === undefined ? undefined : scope.rest.table);
}

/** Printers know one shape a kind: that of the storage version, where the group has it. */
function tableObject(scope: RequestScope, entry: CacheEntry): KubeObject {
  if (scope.schema.custom !== undefined) return servedObject(scope, entry);
  const stored = scope.rest.store?.facts;
  return stored?.group === scope.kind.group && stored.kind === scope.kind.kind ? parseEntry(entry) : servedObject(scope, entry);
}

function cellsText(row: TableRow, nowMs: number): Buffer {
  return Buffer.from(`{"cells":[${renderCells(row, nowMs).map((cell) => looseText(cell)).join(',')}]`, 'utf8');
}

function restOf(row: TableRow, shown: string): Buffer {
  const conditions = row.conditions === undefined || row.conditions.length === 0 ? '' : `,"conditions":[${row.conditions.map(conditionText).join(',')}]`;
  return Buffer.from(`${conditions},"object":${shown}}`, 'utf8');
}

function conditionText(condition: JsonObject): string {
  const parts = ['type', 'status', 'reason', 'message'].filter((key) => condition[key] !== undefined);
  return `{${parts.map((key) => `"${key}":${looseText(condition[key])}`).join(',')}}`;
}

function objectText(facts: Facts, scope: RequestScope, entry: CacheEntry, version: MetaVersion, include: IncludeObject): string {
  switch (include) {
    case 'None': return 'null';
    case 'Object': return jsonOf(scope, entry).toString('utf8');
    case 'Metadata': return metadataJson(facts, version, entry).toString('utf8');
  }
}
