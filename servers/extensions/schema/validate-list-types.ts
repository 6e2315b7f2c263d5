import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { printedItems } from './printed-schema.ts';
import { schemaAt, schemaMapAt } from './schema-walk.ts';

const listTypeKey = 'x-kubernetes-list-type';
const mapTypeKey = 'x-kubernetes-map-type';
const mapKeysKey = 'x-kubernetes-list-map-keys';

/** Validates `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`. */
export function validateListAndMapTypes(schema: JsonObject, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  const mapType = schema[mapTypeKey];
  if (typeof mapType === 'string') {
    if (type !== 'object') errors.push(wrongType(type, 'must be object if x-kubernetes-map-type is specified', at));
    if (mapType !== 'atomic' && mapType !== 'granular')
      errors.push(notSupported(at.child(mapTypeKey), mapType, ['atomic', 'granular']));
  }
  const listType = schema[listTypeKey];
  if (typeof listType === 'string') {
    if (type !== 'array') errors.push(wrongType(type, 'must be array if x-kubernetes-list-type is specified', at));
    else if (listType === 'set') errors.push(...validateSet(schema, at));
    if (!['atomic', 'set', 'map'].includes(listType))
      errors.push(notSupported(at.child(listTypeKey), listType, ['atomic', 'set', 'map']));
  }
  const keys = [...stringsAt(schema, mapKeysKey)];
  if (keys.length > 0) {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    if (typeof listType !== 'string') errors.push(required(at.child(listTypeKey), detail));
    else if (listType !== 'map') errors.push(invalid(at.child(listTypeKey), listType, detail));
  }
  if (listType === 'map') errors.push(...validateMap(schema, keys, at));
  if (listType === 'map' || listType === 'set') errors.push(...validateItems(schema, listType, keys, at));
  return errors;
}

function wrongType(type: string, detail: string, at: Path): FieldError {
  return type === '' ? required(at.child('type'), detail) : invalid(at.child('type'), type, detail);
}

function validateSet(schema: JsonObject, at: Path): FieldError[] {
  const items = schemaAt(schema, 'items');
  const type = stringAt(items, 'type');
  const listType = items?.[listTypeKey];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(at.child('items', listTypeKey), listType, detail)];
  if (type === 'object' && items?.[mapTypeKey] !== 'atomic')
    return [invalid(at.child('items', mapTypeKey), listType ?? null, detail)];
  return [];
}

function validateMap(schema: JsonObject, keys: string[], at: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (keys.length === 0)
    errors.push(required(at.child(mapKeysKey), 'must not be empty if x-kubernetes-list-type is map'));
  const items = schemaAt(schema, 'items');
  if (items === undefined) {
    if (schema['items'] === undefined || schema['items'] === null)
      errors.push(required(at.child('items'), 'must have a schema if x-kubernetes-list-type is map'));
    else
      errors.push(
        invalid(
          at.child('items'),
          printedItems(schema['items'] ?? null),
          'must only have a single schema if x-kubernetes-list-type is map',
        ),
      );
    return errors;
  }
  const type = stringAt(items, 'type');
  if (type !== 'object') {
    errors.push(
      invalid(at.child('items', 'type'), type, "must be object if parent array's x-kubernetes-list-type is map"),
    );
    return errors;
  }
  const properties = new Map(schemaMapAt(items, 'properties'));
  const before = new Set<string>();
  for (const key of keys) {
    const property = properties.get(key);
    const keyType = stringAt(property, 'type');
    if (property === undefined)
      errors.push(invalid(at.child(mapKeysKey), keys, 'entries must all be names of item properties'));
    else if (keyType === 'array' || keyType === 'object') {
      errors.push(
        invalid(
          at.child('items', 'properties').key(key).child('type'),
          type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    }
    if (before.has(key)) errors.push(invalid(at.child(mapKeysKey), keys, 'must not contain duplicate entries'));
    before.add(key);
  }
  return errors;
}

/** Validates that items of sets and maps are not nullable, and that keys of maps are required or have a default. */
function validateItems(schema: JsonObject, listType: string, keys: readonly string[], at: Path): FieldError[] {
  const items = schemaAt(schema, 'items');
  if (items === undefined) return [];
  const errors: FieldError[] = [];
  if (items['nullable'] === true)
    errors.push(
      forbidden(at.child('items', 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  if (listType !== 'map') return errors;
  const properties = new Map(schemaMapAt(items, 'properties'));
  const needed = new Set(stringsAt(items, 'required'));
  for (const key of keys) {
    const property = properties.get(key);
    if (property === undefined) continue;
    const path = at.child('items', 'properties').key(key);
    if (!needed.has(key) && (property['default'] ?? null) === null) {
      errors.push(
        required(
          path.child('default'),
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    }
    if (property['nullable'] === true)
      errors.push(
        forbidden(path.child('nullable'), 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'),
      );
  }
  return errors;
}
