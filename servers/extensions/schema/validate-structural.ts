import { forbidden, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { compilePattern, PatternError } from './patterns.ts';
import { isSet, schemaAt, schemaMapAt, schemasAt } from './schema-walk.ts';

type Level = 'root' | 'item' | 'field';

const intOrString: JsonValue = [{ type: 'integer' }, { type: 'string' }];
const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};
/** Members that are forbidden below allOf, anyOf, oneOf and not, with the word for them in errors. */
const notInJunctors = [
  ['type', 'empty'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
] as const;

/**
 * Validates that a schema is structural, for example that each value has a declared type
 * (apiextensions-apiserver/pkg/apiserver/schema, validation.go). Can yield before each schema in it.
 */
export function* validateStructural(schema: JsonObject, at: Path): Steps<FieldError[]> {
  return [...(yield* validateShape(schema, 'root', at)), ...validateCompleteness(schema, schema, at, at)];
}

function* validateShape(schema: JsonObject, level: Level, at: Path): Steps<FieldError[]> {
  if (sliceIsOver()) yield;
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  const items = schemaAt(schema, 'items');
  if (type === 'array' && items === undefined) errors.push(required(at.child('items'), 'must be specified'));
  if (items !== undefined) errors.push(...(yield* validateShape(items, 'item', at.child('items'))));
  for (const [name, property] of schemaMapAt(schema, 'properties'))
    errors.push(...(yield* validateShape(property, 'field', at.child('properties').key(name))));
  if (hasAdditional(schema)) {
    if (level === 'root') errors.push(forbidden(at.child('additionalProperties'), 'must not be used at the root'));
    const additional = schemaAt(schema, 'additionalProperties');
    if (additional !== undefined)
      errors.push(...(yield* validateShape(additional, 'field', at.child('additionalProperties'))));
  }
  if (is(schema, 'x-kubernetes-int-or-string')) {
    for (const key of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']) {
      if (is(schema, key))
        errors.push(invalid(at.child(key), true, 'must be false if x-kubernetes-int-or-string is true'));
    }
  }
  const first = schemasAt(schema, 'allOf')[0];
  errors.push(
    ...(yield* validateValues(
      schema,
      deepEqual(schema['anyOf'], intOrString),
      first !== undefined && deepEqual(first['anyOf'], intOrString),
      at,
    )),
  );
  errors.push(...validateType(schema, type, level, at), ...validateResource(schema, level, at));
  return errors;
}

function hasAdditional(schema: JsonObject): boolean {
  return schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== null;
}

function is(schema: JsonObject, key: string): boolean {
  return getKey(schema, key) === true;
}

function validateType(schema: JsonObject, type: string, level: Level, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const embedded = 'must be object if x-kubernetes-embedded-resource is true';
  if (is(schema, 'x-kubernetes-embedded-resource') && type !== 'object') {
    errors.push(type === '' ? required(at.child('type'), embedded) : invalid(at.child('type'), type, embedded));
  } else if (
    type === '' &&
    !is(schema, 'x-kubernetes-int-or-string') &&
    !is(schema, 'x-kubernetes-preserve-unknown-fields')
  ) {
    errors.push(required(at.child('type'), emptyType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalid(at.child('type'), type, 'must be object at the root'));
  return errors;
}

function validateResource(schema: JsonObject, level: Level, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const embedded = is(schema, 'x-kubernetes-embedded-resource');
  if (embedded && hasAdditional(schema))
    errors.push(
      forbidden(at.child('additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  const properties = new Map(schemaMapAt(schema, 'properties'));
  const isResource = level === 'root' || embedded;
  for (const name of isResource ? ['kind', 'apiVersion'] : []) {
    const property = properties.get(name);
    const type = stringAt(property, 'type');
    if (property !== undefined && type !== 'string')
      errors.push(invalid(at.child('properties').key(name).child('type'), type, 'must be string'));
  }
  const metadata = properties.get('metadata');
  if (metadata !== undefined) {
    const path = at.child('properties').key('metadata');
    const type = stringAt(metadata, 'type');
    if (isResource && type !== 'object') errors.push(invalid(path.child('type'), type, 'must be object'));
    if (level === 'root' && !namesOnly(metadata))
      errors.push(
        forbidden(
          path,
          'must not specify anything other than name and generateName, but metadata is implicitly specified',
        ),
      );
  }
  if (embedded && !is(schema, 'x-kubernetes-preserve-unknown-fields') && properties.size === 0) {
    errors.push(
      required(
        at.child('properties'),
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  }
  return errors;
}

/** Whether the metadata at the root restricts only `name` and `generateName`. */
function namesOnly(metadata: JsonObject): boolean {
  return Object.entries(metadata).every(([key, value]) => {
    if (key === 'type' || key === 'default' || !isSet(value)) return true;
    return (
      key === 'properties' &&
      isObject(value) &&
      Object.keys(value).every((name) => name === 'name' || name === 'generateName')
    );
  });
}

/**
 * Validates `allOf`, `anyOf`, `oneOf`, `not` and `pattern`. The two `skip` parameters are set for the usual form of
 * int-or-string, in which types below `anyOf` are allowed.
 */
function* validateValues(
  schema: JsonObject,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  at: Path,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const key of skipAnyOf ? ['allOf', 'oneOf'] : ['anyOf', 'allOf', 'oneOf']) {
    for (const [index, one] of schemasAt(schema, key).entries())
      errors.push(
        ...(yield* validateNested(one, key === 'allOf' && skipFirstAllOf && index === 0, at.child(key).index(index))),
      );
  }
  const not = schemaAt(schema, 'not');
  if (not !== undefined) errors.push(...(yield* validateNested(not, false, at.child('not'))));
  const pattern = stringAt(schema, 'pattern');
  const compiled = pattern === '' ? undefined : yield* compilePattern(pattern);
  if (compiled instanceof PatternError) {
    errors.push(
      invalid(at.child('pattern'), pattern, `must be a valid regular expression, but isn't: ${compiled.text}`),
    );
  }
  return errors;
}

function* validateNested(schema: JsonObject, skipAnyOf: boolean, at: Path): Steps<FieldError[]> {
  if (sliceIsOver()) yield;
  const errors = yield* validateValues(schema, skipAnyOf, false, at);
  const items = schemaAt(schema, 'items');
  if (items !== undefined) errors.push(...(yield* validateNested(items, false, at.child('items'))));
  const properties = schemaMapAt(schema, 'properties');
  for (const [name, property] of properties)
    errors.push(...(yield* validateNested(property, false, at.child('properties').key(name))));
  if (isObject(schema['additionalProperties']) || schema['additionalProperties'] === true) {
    errors.push(forbidden(at.child('additionalProperties'), 'must be undefined to be structural'));
  }
  for (const [key, word] of notInJunctors) {
    const value = schema[key];
    const set = word === 'undefined' ? value !== undefined && value !== null : isSet(value);
    if (set) errors.push(forbidden(at.child(key), `must be ${word} to be structural`));
  }
  if (properties.some(([name]) => name === 'metadata'))
    errors.push(forbidden(at.child('properties').key('metadata'), 'must not be specified in a nested context'));
  return errors;
}

/**
 * Validates that fields named in `allOf`, `anyOf`, `oneOf` or `not` are also declared outside of them. `at` is the path
 * of the declaration, `of` the path inside the junctor.
 */
function validateCompleteness(values: JsonObject, schema: JsonObject, at: Path, of: Path): FieldError[] {
  const errors: FieldError[] = [];
  const not = schemaAt(values, 'not');
  if (not !== undefined) errors.push(...validateNestedCompleteness(not, schema, at, of.child('not')));
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    schemasAt(values, key).forEach((one, index) =>
      errors.push(...validateNestedCompleteness(one, schema, at, of.child(key).index(index))),
    );
  }
  return errors;
}

function validateNestedCompleteness(
  values: JsonObject,
  schema: JsonObject | undefined,
  at: Path,
  of: Path,
): FieldError[] {
  if (schema === undefined) return [required(at, `because it is defined in ${of.toString()}`)];
  const errors = validateCompleteness(values, schema, at, of);
  const items = schemaAt(values, 'items');
  if (items !== undefined)
    errors.push(...validateNestedCompleteness(items, schemaAt(schema, 'items'), at.child('items'), of.child('items')));
  const declared = schemaAt(schema, 'properties') ?? {};
  for (const [name, property] of schemaMapAt(values, 'properties')) {
    errors.push(
      ...validateNestedCompleteness(
        property,
        schemaAt(declared, name),
        at.child('properties').key(name),
        of.child('properties').key(name),
      ),
    );
  }
  return errors;
}
