import { loadDescriptions } from '../../api/descriptions.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { stringAt } from '../../apimachinery/object.ts';
import type { Schema, StructSchema } from '../../apimachinery/schema.ts';
import { quoteJson } from '../../serializer/json/go-text.ts';
import { looseText } from '../../serializer/json/loose.ts';
import { columnDefinitions } from '../../serializer/table/table-row.ts';
import type { ResourceFacts } from '../../api/facts.ts';
import type { RequestScope } from '../request-scope.ts';
import { fieldOfColumn } from './column-fields.ts';

const keys = ['name', 'type', 'format', 'description', 'priority'];
const texts = new Map<string, string>();

/** `columnDefinitions` of a scope as JSON. */
export function columnsText(scope: RequestScope): string {
  let text = texts.get(scope.formId);
  if (text === undefined) {
    const columns = columnDefinitions(scope.kind, scope.facts.columns).map((column) => columnText(scope, column));
    text = `[${columns.join(',')}]`;
    texts.set(scope.formId, text);
  }
  return text;
}

function columnText(scope: RequestScope, column: JsonObject): string {
  const described = { ...column, description: descriptionOf(scope, stringAt(column, 'name')) };
  return `{${keys.map((key) => `${quoteJson(key)}:${looseText((described as JsonObject)[key])}`).join(',')}}`;
}

let describe: ((model: string, field: string) => string | undefined) | undefined;

function descriptionOf(scope: RequestScope, column: string): string {
  const path = fieldOfColumn(scope.kind.group, scope.kind.kind, column)?.split('.');
  const field = path?.pop();
  if (path === undefined || field === undefined) return '';
  const owner = structAt(scope.schema, path);
  describe ??= loadDescriptions();
  const text = owner === undefined ? undefined : describe(owner.name, field);
  // The declarations lose line breaks: in the texts of metadata two blanks were a new paragraph, elsewhere just two blanks.
  return (owner?.name.includes('.meta.v1.') ? text?.replaceAll('.  ', '.\n\n') : text) ?? '';
}

function structAt(schema: Schema, path: readonly string[]): StructSchema | undefined {
  let at: Schema | undefined = schema;
  for (const name of path) at = at?.kind === 'struct' ? at.byName.get(name)?.schema : undefined;
  return at?.kind === 'struct' ? at : undefined;
}

/** Whether nobody wrote a printer for the kind. */
export function hasDefaultColumns(facts: ResourceFacts): boolean {
  return facts.columns.length === 0 || facts.columns.some((column) => column.name === 'Created At');
}
