import type { ColumnFacts } from '#shared/api/facts.ts';
import type { GroupKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { ageOf, cellsOf, count, nameOf, type TableRow } from './cells.ts';
import type { KindRows } from './kind-rows.ts';

/** Kinds without rows of their own show name and time of creation. */
export const defaultRows: KindRows = { print: printDefault };

/** The row of a Scale. */
export const scaleRows: KindRows = {
  print: cellsOf((object) => [
    nameOf(object),
    count(object, 'spec', 'replicas'),
    count(object, 'status', 'replicas'),
    ageOf(object),
  ]),
};

function printDefault(object: JsonObject): TableRow {
  const created = stringAt(object, 'metadata', 'creationTimestamp');
  return { cells: [nameOf(object), created === '' ? '0001-01-01T00:00:00Z' : created] };
}

const NAME_COLUMN: ColumnFacts = { name: 'Name', type: 'string', format: 'name', priority: 0, field: 'metadata.name' };

const DEFAULT_COLUMNS: readonly ColumnFacts[] = [
  NAME_COLUMN,
  { name: 'Created At', type: 'date', format: '', priority: 0, field: 'metadata.creationTimestamp' },
];

const COLUMNS_OF_KINDS: Readonly<Record<string, readonly ColumnFacts[]>> = {
  Status: ['Status', 'Reason', 'Message'].map((name) => ({ name, type: 'string', format: '', priority: 0 })),
  Scale: [
    { ...NAME_COLUMN, format: '' },
    { name: 'Desired', type: 'integer', format: '', priority: 0, field: 'spec.replicas' },
    { name: 'Available', type: 'integer', format: '', priority: 0, field: 'status.replicas' },
    { name: 'Age', type: 'string', format: '', priority: 0, field: 'metadata.creationTimestamp' },
  ],
};

/**
 * Columns of a kind's Table.
 * @param columns those of the resource's facts; the columns of Status, of Scale and of kinds without columns are
 *   defined here
 */
export function columnsOf(kind: GroupKind, columns: readonly ColumnFacts[]): readonly ColumnFacts[] {
  const ownColumns = Object.hasOwn(COLUMNS_OF_KINDS, kind.kind) ? COLUMNS_OF_KINDS[kind.kind] : undefined;
  return ownColumns ?? (columns.length === 0 ? DEFAULT_COLUMNS : columns);
}
