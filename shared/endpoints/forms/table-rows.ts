import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { TableForm } from '#shared/registry/rest.ts';
import { isPlainText } from '#shared/serializer/json/go-text.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import type { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import type { AgeClock } from '#shared/serializer/table/age-clock.ts';
import { NONE, renderCells, type TableRow } from '#shared/serializer/table/cells.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { shownObject } from './entry-scan.ts';
import { appendMetadata, metadataChunks, type MetaVersion } from './metadata-form.ts';
import { jsonOf, servedObject } from './object-forms.ts';

export type IncludeObject = 'Metadata' | 'Object' | 'None';

const overheadBytes = 200;
const cellBytes = 32;

/** Rows by entry, then by the id of the form. Ages are not part of them: they are printed when a row is sent. */
const rows = budgetedCache<CacheEntry, Map<string, TableRow>>(
  'table_rows',
  (forms) => overheadBytes + [...forms.values()].reduce((total, row) => total + rowBytes(row), 0),
);

function rowBytes({ cells, conditions }: TableRow): number {
  let bytes = overheadBytes + (conditions?.length ?? 0) * overheadBytes;
  for (const cell of cells) bytes += cellBytes + (typeof cell === 'string' ? cell.length : 0);
  return bytes;
}

/** How the rows of one response are printed. */
export interface RowForm {
  readonly scope: RequestScope;
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly clock: AgeClock;
}

/** The bytes of a row, its ages as of now. */
export function rowOf(form: RowForm, entry: CacheEntry): readonly Buffer[] {
  return [
    Buffer.from(rowStart(entryRow(form.scope, entry), form.clock), 'utf8'),
    ...objectChunks(form, entry),
    closeRow,
  ];
}

/** Appends the bytes of {@link rowOf} to `out`. */
export function appendRow(form: RowForm, entry: CacheEntry, out: JoinedBytes): void {
  const { scope, version, include, clock } = form;
  out.text(rowStart(entryRow(scope, entry), clock));
  if (include === 'Metadata') appendMetadata(scope.env.facts, version, entry, out);
  else for (const chunk of objectChunks(form, entry)) out.append(chunk);
  out.append(closeRow);
}

function rowStart(row: TableRow, clock: AgeClock): string {
  return `${cellsText(row, clock)}${conditionsText(row)},"object":`;
}

/** The row of an entry. Rows of short JSON are not cached: reading them again costs less. */
function entryRow(scope: RequestScope, entry: CacheEntry): TableRow {
  if (entry.json.length < shortJson && isScanned(scope)) return printRow(scope, shownObject(entry, scope.rows));
  const forms = rows.get(entry) ?? new Map<string, TableRow>();
  let row = forms.get(scope.formId);
  if (row === undefined) {
    row = printRow(scope, tableObject(scope, entry));
    forms.set(scope.formId, row);
    rows.delete(entry);
    rows.set(entry, forms);
  }
  return row;
}

const shortJson = 16 * 1024;
const closeRow = Buffer.from('}');
const none = [Buffer.from('null')];

/** The bytes of a row of an object that is not in a cache. */
export function rowOfObject(scope: RequestScope, object: KubeObject, shown: string, clock: AgeClock): Buffer[] {
  const row = printRow(scope, object);
  return [Buffer.from(`${cellsText(row, clock)}${conditionsText(row)},"object":${shown}}`, 'utf8')];
}

function printRow(scope: RequestScope, object: JsonObject): TableRow {
  return (ownTable(scope) ?? scope.rows).print(object);
}

/** The Table of a subresource with columns of its own; otherwise, for a custom resource, that of its CRD. */
export function ownTable(scope: RequestScope): TableForm | undefined {
  return scope.subresource?.table ?? (scope.schema.custom === undefined ? undefined : scope.rest.table);
}

/**
 * The object that the row printer reads. A printer knows one shape per kind: that of the storage version, if the group
 * has the kind.
 */
function tableObject(scope: RequestScope, entry: CacheEntry): KubeObject {
  return isOwnKind(scope) ? shownObject(entry, scope.rows) : servedObject(scope, entry);
}

function isOwnKind(scope: RequestScope): boolean {
  if (scope.schema.custom !== undefined) return false;
  const stored = scope.rest.store?.facts;
  return stored?.group === scope.kind.group && stored.kind === scope.kind.kind;
}

/** Whether the row can be made from a few fields, which are found in the stored bytes without parsing the rest. */
function isScanned(scope: RequestScope): boolean {
  return isOwnKind(scope) && ownTable(scope) === undefined && scope.rows.reads !== undefined;
}

const noneText = looseText(NONE);

function cellsText(row: TableRow, clock: AgeClock): string {
  const cells = renderCells(row, clock);
  let plain = '';
  let text = '{"cells":[';
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    if (at > 0) text += ',';
    if (cell === NONE) text += noneText;
    else if (typeof cell !== 'string') text += looseText(cell);
    else {
      plain += cell;
      text += `"${cell}"`;
    }
  }
  // Testing the text of all cells at once costs less than testing each.
  return isPlainText(plain) ? `${text}]` : `{"cells":[${cells.map((cell) => looseText(cell)).join(',')}]`;
}

function conditionsText({ conditions }: TableRow): string {
  return conditions === undefined || conditions.length === 0
    ? ''
    : `,"conditions":[${conditions.map(conditionText).join(',')}]`;
}

function conditionText(condition: JsonObject): string {
  const parts = ['type', 'status', 'reason', 'message'].filter((key) => getKey(condition, key) !== undefined);
  return `{${parts.map((key) => `"${key}":${looseText(getKey(condition, key))}`).join(',')}}`;
}

function objectChunks({ scope, version, include }: RowForm, entry: CacheEntry): readonly Buffer[] {
  switch (include) {
    case 'None':
      return none;
    case 'Object':
      return [jsonOf(scope, entry)];
    case 'Metadata':
      return metadataChunks(scope.env.facts, version, entry);
  }
}
