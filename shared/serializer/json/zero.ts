import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, Schema } from '#shared/apimachinery/schema/schema.ts';
import { zeroScalar } from '#shared/apimachinery/schema/zero-scalar.ts';
import { schemaForm, zeroForm } from './schema-forms.ts';

/** Whether a value is Go's zero value, as `omitzero` checks it (an empty list or map is not nil, hence not zero). */
export function isZero(schema: Schema, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  switch (schema.kind) {
    case 'struct':
      return schema.flat.every((field) => isZeroField(field, getKey(value as JsonObject, field.name)));
    case 'scalar':
      return isZeroScalar(schema.type, value);
    default:
      return false;
  }
}

function isZeroField(field: Field, value: JsonValue | undefined): boolean {
  if (field.pointer) return value === undefined || value === null;
  return isZero(field.schema, value);
}

function isZeroScalar(type: string, value: JsonValue): boolean {
  switch (type) {
    case 'quantity':
      return value === '0';
    case 'duration':
      return value === '0s';
    case 'bytes':
      return false;
    default:
      return value === '' || value === 0 || value === 0n || value === false;
  }
}

/** The value that Go holds for a null item or map value that is no pointer. */
export function zeroValue(schema: Schema): JsonValue {
  if (schema.kind === 'scalar') return zeroScalar(schema);
  if (schema.kind !== 'struct') return null;
  const form = schemaForm(schema);
  return form === undefined ? {} : zeroForm(form);
}
