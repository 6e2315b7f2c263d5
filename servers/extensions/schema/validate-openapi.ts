import { forbidden, invalid, notSupported, required, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import { getKey } from '../../../shared/apimachinery/json.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectsAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '../../../shared/apimachinery/slices.ts';
import { validateListAndMapTypes } from './validate-list-types.ts';
import { isSet, schemaAt, schemaMapAt, schemasAt } from './schema-walk.ts';

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

interface Place {
  readonly isRoot: boolean;
  /** Inside of type or object metadata, of the object itself or of an embedded resource. */
  readonly inMeta: boolean;
  /** Why defaults may not stand here. */
  readonly noDefaults?: string;
}

/** What a definition's schema may say at all (apiextensions-apiserver/pkg/apis/apiextensions/validation). A step for each schema in it. */
export function validateOpenApiSchema(schema: JsonObject, at: Path): Steps<FieldError[]> {
  return validateAt(schema, at, { isRoot: true, inMeta: false });
}

function* validateAt(schema: JsonObject, at: Path, place: Place): Steps<FieldError[]> {
  if (sliceIsOver()) yield;
  const below: Place = { ...place, isRoot: false };
  const errors = validateSupported(schema, at, place);
  if (schema['uniqueItems'] === true) errors.push(forbidden(at.child('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  errors.push(...(yield* validateAdditional(schema, at, below)));
  for (const [name, property] of schemaMapAt(schema, 'properties')) {
    const isMeta = (place.isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
    const inside: Place = isMeta ? { ...below, inMeta: true, ...(place.isRoot ? { noDefaults: `in top-level ${name}` } : {}) } : below;
    errors.push(...(yield* validateAt(property, at.child('properties').key(name), inside)));
  }
  const not = schemaAt(schema, 'not');
  if (not !== undefined) errors.push(...(yield* validateAt(not, at.child('not'), below)));
  for (const key of ['allOf', 'oneOf', 'anyOf']) errors.push(...(yield* validateEach(schemasAt(schema, key), at.child(key), below)));
  for (const key of ['definitions', 'dependencies']) for (const [name, one] of schemaMapAt(schema, key)) errors.push(...(yield* validateAt(one, at.child(key).key(name), below)));
  const items = schemaAt(schema, 'items');
  if (items !== undefined) errors.push(...(yield* validateAt(items, at.child('items'), below)));
  errors.push(...(yield* validateEach(schemasAt(schema, 'items'), at.child('items'), below)));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalid(at.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  errors.push(...validateListAndMapTypes(schema, at), ...validateRules(schema, at));
  return errors;
}

function* validateEach(schemas: readonly JsonObject[], at: Path, place: Place): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, one] of schemas.entries()) errors.push(...(yield* validateAt(one, at.index(index), place)));
  return errors;
}

function validateSupported(schema: JsonObject, at: Path, place: Place): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  if (type !== '' && !types.has(type)) errors.push(notSupported(at.child('type'), type, [...types].toSorted()));
  if (place.noDefaults !== undefined && schema['default'] !== undefined && schema['default'] !== null) errors.push(forbidden(at.child('default'), `must not be set ${place.noDefaults}`));
  for (const key of unsupported) {
    const value = schema[key];
    const isPointer = key === 'additionalItems' || key === 'dependencies' || key === '$ref';
    if (isPointer ? value !== undefined && value !== null : isSet(value)) errors.push(forbidden(at.child(key), `${key} is not supported`));
  }
  if (type === 'null') errors.push(forbidden(at.child('type'), 'type cannot be set to null, use nullable as an alternative'));
  if (schemasAt(schema, 'items').length > 0) errors.push(forbidden(at.child('items'), 'items must be a schema object and not an array'));
  if (place.inMeta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(forbidden(at.child('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
  }
  return errors;
}

function* validateAdditional(schema: JsonObject, at: Path, place: Place): Steps<FieldError[]> {
  const value = schema['additionalProperties'];
  if (value === undefined || value === null) return [];
  const errors: FieldError[] = [];
  if (value !== true && schemaMapAt(schema, 'properties').length > 0) {
    errors.push(forbidden(at.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive'));
  }
  const additional = schemaAt(schema, 'additionalProperties');
  const inside = place.inMeta ? { ...place, noDefaults: 'inside additionalProperties applying to object metadata' } : place;
  if (additional !== undefined) errors.push(...(yield* validateAt(additional, at.child('additionalProperties'), inside)));
  return errors;
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The form of rules. Rules themselves are not evaluated yet, so a definition with any is refused, whatever its form. */
function validateRules(schema: JsonObject, at: Path): FieldError[] {
  const rules = objectsAt(schema, 'x-kubernetes-validations');
  const path = at.child('x-kubernetes-validations');
  const errors = rules.flatMap((rule, index) => validateRule(rule, path.index(index)));
  if (rules.length > 0) errors.push(forbidden(path, 'validation rules are not supported by this server yet: it would store objects that they refuse'));
  return errors;
}

function validateRule(rule: JsonObject, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const [text, message, messageExpression, fieldPath] = ['rule', 'message', 'messageExpression', 'fieldPath'].map((key) => stringAt(rule, key));
  const isBlank = (value = ''): boolean => value !== '' && value.trim() === '';
  const breaks = (value = ''): boolean => /[\n\r]/.test(value);
  if ((text ?? '').trim() === '') errors.push(required(at.child('rule'), 'rule is not specified'));
  else if (isBlank(message)) errors.push(invalid(at.child('message'), message, 'must be non-empty if specified'));
  else if (breaks(message?.trim())) errors.push(invalid(at.child('message'), message, 'must not contain line breaks'));
  else if (breaks(text?.trim()) && message?.trim() === '') errors.push(required(at.child('message'), 'message must be specified if rule contains line breaks'));
  if (isBlank(messageExpression)) errors.push(required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  const reason = rule['reason'];
  if (typeof reason === 'string' && !reasons.includes(reason)) errors.push(notSupported(at.child('reason'), reason, reasons));
  if (isBlank(fieldPath)) errors.push(invalid(at.child('fieldPath'), fieldPath, 'must be non-empty if specified'));
  if (breaks(fieldPath)) errors.push(invalid(at.child('fieldPath'), fieldPath, 'must not contain line breaks'));
  return errors;
}

/** Why a schema cannot be taken as structural at all; undefined when it can. A step for each schema in it. */
export function* structuralObstacle(schema: JsonObject): Steps<string | undefined> {
  if (sliceIsOver()) yield;
  for (const key of ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions']) {
    if (isSet(getKey(schema, key))) return `OpenAPIV3Schema '${key === '$schema' ? 'schema' : key}' is not supported`;
  }
  if (schemasAt(schema, 'items').length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  for (const key of ['not', 'items', 'additionalProperties']) {
    const below = schemaAt(schema, key);
    const found = below === undefined ? undefined : yield* structuralObstacle(below);
    if (found !== undefined) return found;
  }
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => [...schemasAt(schema, key)]);
  const properties = schemaMapAt(schema, 'properties').map(([, property]) => property);
  for (const below of [...lists, ...properties]) {
    const found = yield* structuralObstacle(below);
    if (found !== undefined) return found;
  }
  return undefined;
}
