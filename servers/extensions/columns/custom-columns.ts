import type { DefinitionColumn } from '#servers/extensions/facts/definition-view.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { goFloat, goNumber } from '#shared/apimachinery/text/go-format.ts';
import { truncateToInt64 } from '#shared/apimachinery/values/int64.ts';
import { TimeError } from '#shared/apimachinery/values/time-parse.ts';
import { parseTimeMs } from '#shared/apimachinery/values/time.ts';
import { fieldDescription } from '#shared/endpoints/forms/table-columns.ts';
import type { TableForm } from '#shared/registry/rest.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { nameOf, UNKNOWN, type Cell } from '#shared/serializer/table/cells.ts';
import { parseJsonPath, type JsonPath } from './json-path.ts';
import type { PathValue } from './path-comparison.ts';
import { JsonPathError, PlainNumber } from './path-syntax.ts';

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

/**
 * The Table of a custom resource (apiextensions-apiserver pkg/registry/customresource/tableconvertor). A path that
 * cannot be read hides its column and those after it.
 */
export function customTable(columns: readonly DefinitionColumn[], metadata: StructSchema): TableForm {
  const wanted = columns.length === 0 ? [ageColumn(metadata)] : columns;
  const cells = cellReaders(wanted);
  const shown = wanted.slice(0, cells.length);
  return {
    columns: [nameColumn(metadata), ...shown.map(columnDefinition)],
    print: (object) => ({ cells: [nameOf(object), ...cells.map((read) => read(object))] }),
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

/** The readers of the columns before the first one whose path cannot be read. */
function cellReaders(columns: readonly DefinitionColumn[]): ((object: JsonObject) => Cell)[] {
  const readers: ((object: JsonObject) => Cell)[] = [];
  try {
    for (const { type, jsonPath } of columns) readers.push(cellReader(type, parseJsonPath(jsonPath)));
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
  }
  return readers;
}

function cellReader(type: string, path: JsonPath): (object: JsonObject) => Cell {
  const cell = type === 'string' ? textCell : (value: PathValue) => typedCell(type, value);
  return (object) => {
    const value = path(object);
    return value === undefined ? null : cell(value);
  };
}

/** The text of a cell. Maps and lists are shown as JSON. */
function textCell(value: PathValue): Cell {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return goNumber(value);
    case 'boolean':
      return String(value);
    default:
      if (value === null) return '<no value>';
      return value instanceof PlainNumber ? plainText(value) : looseText(value);
  }
}

function plainText({ value, isFloat }: PlainNumber): string {
  return isFloat ? goFloat(Number(value)) : String(value);
}

function typedCell(type: string, found: PathValue): Cell {
  const value = found instanceof PlainNumber ? (found.isFloat ? found.value : null) : found;
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || typeof value === 'number' ? truncateToInt64(value) : null;
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value) : null;
    default:
      return null;
  }
}

function dateCell(text: string): Cell {
  if (text === '' || text === 'null') return UNKNOWN;
  try {
    const sinceMs = parseTimeMs(text);
    return sinceMs === null ? UNKNOWN : { sinceMs, before: '', after: '' };
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}
