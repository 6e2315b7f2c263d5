import type { DefinitionColumn } from '#servers/extensions/facts/definition-view.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import { fieldDescription } from '#shared/endpoints/forms/table-columns.ts';
import type { TableForm } from '#shared/registry/rest.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { nameOf, UNKNOWN, type Cell } from '#shared/serializer/table/cells.ts';
import { JsonPathError, parseJsonPath, type JsonPath } from './json-path.ts';

/** The only column of a kind whose definition lists no printer columns. */
function ageColumn(metadata: StructSchema): DefinitionColumn {
  return {
    name: 'Age',
    type: 'date',
    format: '',
    priority: 0,
    jsonPath: '.metadata.creationTimestamp',
    description: fieldDescription(metadata, 'creationTimestamp'),
  };
}

/**
 * The Table columns of the Scale of a custom resource (apiextensions-apiserver pkg/apiserver,
 * customresource_handler.go).
 */
const scaleColumns: readonly DefinitionColumn[] = [
  {
    name: 'Desired',
    type: 'integer',
    format: '',
    priority: 0,
    jsonPath: '.spec.replicas',
    description: 'Number of desired replicas',
  },
  {
    name: 'Available',
    type: 'integer',
    format: '',
    priority: 0,
    jsonPath: '.status.replicas',
    description: 'Number of actual replicas',
  },
];

/** The Table of a custom resource (apiextensions-apiserver pkg/registry/customresource/tableconvertor). */
export function customTable(columns: readonly DefinitionColumn[], metadata: StructSchema): TableForm {
  const shown = columns.length === 0 ? [ageColumn(metadata)] : columns;
  const cells = cellReaders(shown);
  return {
    columns: [nameColumn(metadata), ...(cells === undefined ? [] : shown.map(columnDefinition))],
    print: (object) => ({ cells: [nameOf(object), ...(cells ?? []).map((read) => read(object))] }),
  };
}

/** The Table of the Scale of a custom resource. */
export function scaleTable(metadata: StructSchema): TableForm {
  return customTable([...scaleColumns, ageColumn(metadata)], metadata);
}

function nameColumn(metadata: StructSchema): JsonObject {
  return { name: 'Name', type: 'string', format: 'name', description: fieldDescription(metadata, 'name'), priority: 0 };
}

function columnDefinition({ name, type, format, description, priority, jsonPath }: DefinitionColumn): JsonObject {
  const text = description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
  return { name, type, format, description: text, priority };
}

/** One reader for each column; undefined if a JSON path is invalid, and the Table then shows only the name. */
function cellReaders(columns: readonly DefinitionColumn[]): ((object: JsonObject) => Cell)[] | undefined {
  try {
    return columns.map(({ type, jsonPath }) => cellReader(type, parseJsonPath(jsonPath)));
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellReader(type: string, path: JsonPath): (object: JsonObject) => Cell {
  const cell = type === 'string' ? textCell : (value: JsonValue) => typedCell(type, value);
  return (object) => {
    const [first] = path(object);
    return first === undefined ? null : cell(first);
  };
}

/** The text of a cell. Maps and lists are shown as JSON. */
function textCell(value: JsonValue): Cell {
  if (value === null) return '<no value>';
  return typeof value === 'string' ? value : looseText(value);
}

function typedCell(type: string, value: JsonValue): Cell {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' ? value : typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value) : null;
    default:
      return isObject(value) || typeof value !== 'string' ? null : value;
  }
}

function dateCell(text: string): Cell {
  if (text === '' || text === 'null') return UNKNOWN;
  const sinceMs = timeToMs(text);
  return sinceMs === undefined ? '<invalid>' : { sinceMs, before: '', after: '' };
}
