import { loadFacts } from '#shared/api/load-facts.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { printable } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { asInternal } from './internal-types.ts';

/**
 * A value as the reference prints its internal type in an error: with Go's field names and with every field; unset
 * fields have their zero value.
 */
export function goForm(model: string, value: JsonObject): JsonObject {
  const schema = loadFacts().model(model);
  if (!schema) throw new TypeError(`no model ${JSON.stringify(model)} among the facts`);
  return formOf(schema, value) as JsonObject;
}

function formOf(schema: Schema, value: JsonValue | undefined): JsonValue {
  switch (schema.kind) {
    case 'struct': {
      const object = isObject(value) ? value : {};
      // Types of meta/v1 are also internal types, so they keep their JSON names.
      if (schema.name.endsWith('.meta.v1.LabelSelector')) return printable(object);
      if (schema.name.includes('.apimachinery.pkg.apis.meta.v1.')) return asPrinted(schema, object);
      return asInternal(
        schema.name,
        Object.fromEntries(schema.flat.flatMap((field) => membersOf(field, getKey(object, field.name)))),
      );
    }
    case 'list':
      return Array.isArray(value) ? value.map((item) => formOf(schema.items, item)) : null;
    case 'map':
      return isObject(value)
        ? Object.fromEntries(
            Object.keys(value)
              .sort(compareUtf8)
              .map((key) => [key, formOf(schema.values, value[key])]),
          )
        : null;
    case 'scalar':
      return value ?? zeroOf(schema.type);
  }
}

/** The members of an object under their JSON names, in the order of the type's fields. */
function asPrinted(schema: StructSchema, object: JsonObject): JsonObject {
  const printed = atOnce(canonicalObject(schema, object));
  return Object.fromEntries(
    schema.flat.flatMap(({ name }) => {
      const member = getKey(printed, name);
      return member === undefined ? [] : [[name, member]];
    }),
  );
}

/** The printed members of a field. Metadata is embedded, so its members have no name in front. */
function membersOf(field: Field, value: JsonValue | undefined): [string, JsonValue][] {
  if (field.goName === 'ObjectMeta') return metadataMembers(field.schema, isObject(value) ? value : {});
  return [[field.goName.split('.').at(-1) ?? field.goName, fieldForm(field, value)]];
}

/** The members of the metadata that are not empty, in the order of Go's fields. */
function metadataMembers(schema: Schema, metadata: JsonObject): [string, JsonValue][] {
  const fields = schema.kind === 'struct' ? schema.flat : [];
  return fields.flatMap(({ name, schema: type }): [string, JsonValue][] => {
    const value = getKey(metadata, name);
    return value === undefined || isEmpty(value) ? [] : [[name, metadataMember(type, value)]];
  });
}

/** Labels and annotations are sorted, as Go prints maps; items of lists have the field order of their types. */
function metadataMember(schema: Schema, value: JsonValue): JsonValue {
  if (schema.kind === 'list' && schema.items.kind === 'struct' && Array.isArray(value)) {
    const { items } = schema;
    return value.map((item) => (isObject(item) ? asPrinted(items, item) : item));
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort(compareUtf8)
          .map((key) => [key, value[key] ?? null]),
      )
    : value;
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function fieldForm(field: Field, value: JsonValue | undefined): JsonValue {
  return field.pointer && (value === undefined || value === null) ? null : formOf(field.schema, value);
}

function zeroOf(type: string): JsonValue {
  switch (type) {
    case 'string':
    case 'duration':
      return '';
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return null;
    default:
      return 0;
  }
}
