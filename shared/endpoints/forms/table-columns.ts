import { loadDescriptions } from '#shared/api/descriptions/load-descriptions.ts';
import { withoutValues } from '#shared/api/descriptions/possible-values.ts';
import type { ColumnFacts, ResourceFacts } from '#shared/api/facts.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { TableForm } from '#shared/registry/rest.ts';
import { quoteJson } from '#shared/serializer/json/go-text.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { columnsOf } from '#shared/serializer/table/table-row.ts';
import { ownTable } from './table-rows.ts';

const keys = ['name', 'type', 'format', 'description', 'priority'];
const texts = new Map<string, string>();

/** `columnDefinitions` of a scope as JSON. */
export function columnsText(scope: RequestScope): string {
  const own = ownTable(scope);
  if (own !== undefined) return looseColumns(own);
  let text = texts.get(scope.formId);
  if (text === undefined) {
    const columns = columnsOf(scope.kind, scope.facts.columns).map((column) =>
      columnObjectText({ ...column, description: descriptionOf(scope.schema, column) }),
    );
    text = `[${columns.join(',')}]`;
    texts.set(scope.formId, text);
  }
  return text;
}

const customTexts = new WeakMap<TableForm, string>();

function looseColumns(table: TableForm): string {
  let text = customTexts.get(table);
  if (text === undefined) {
    text = `[${table.columns.map(columnObjectText).join(',')}]`;
    customTexts.set(table, text);
  }
  return text;
}

function columnObjectText(column: JsonObject): string {
  return `{${keys.map((key) => `${quoteJson(key)}:${looseText(getKey(column, key))}`).join(',')}}`;
}

let describe: ((model: string, field: string) => string | undefined) | undefined;

/** Empty for a column without a field. */
function descriptionOf(schema: StructSchema, { field }: ColumnFacts): string {
  if (field === undefined) return '';
  const path = field.replace(/^#/, '').split('.');
  const name = path.pop() ?? '';
  if (field.startsWith('#')) return documentation(path.join('.'), name);
  const owner = structAt(schema, path);
  return owner === undefined ? '' : fieldDescription(owner, name);
}

/** The documentation text of a field. */
export function fieldDescription(owner: StructSchema, field: string): string {
  return documentation(owner.name, field);
}

function documentation(model: string, field: string): string {
  describe ??= loadDescriptions();
  return withoutValues(describe(model, field) ?? '');
}

function structAt(schema: Schema, path: readonly string[]): StructSchema | undefined {
  let at: Schema | undefined = schema;
  for (const name of path) at = at?.kind === 'struct' ? at.byName.get(name)?.schema : undefined;
  return at?.kind === 'struct' ? at : undefined;
}

/** Whether the kind has no printer of its own and shows the default columns. */
export function hasDefaultColumns(facts: ResourceFacts): boolean {
  return facts.columns.length === 0 || facts.columns.some((column) => column.name === 'Created At');
}
