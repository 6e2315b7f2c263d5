import type { ResourceFacts } from '../../api/facts.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { KubeObject } from '../../apimachinery/object.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Columns of kinds for which nobody wrote a printer (apiserver/pkg/registry/rest table convertor). */
const defaultColumns: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
  { name: 'Created At', type: 'date', format: '', description: '', priority: 0 },
];

export function columnsOf(_facts: ResourceFacts): readonly Column[] {
  return defaultColumns;
}

/** One cell a column. */
export function cellsOf(_facts: ResourceFacts, object: KubeObject): JsonValue[] {
  return [object.metadata.name ?? '', object.metadata.creationTimestamp ?? '<unknown>'];
}
