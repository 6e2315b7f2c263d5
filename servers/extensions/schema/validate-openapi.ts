import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { FieldPathError, followFieldPath } from './field-path.ts';
import { rulesKey } from './rule.ts';
import { SchemaNode } from './schema-node.ts';
import { isSet, schemaAt, schemaMapAt, schemasAt } from './schema-walk.ts';
import { validateListAndMapTypes } from './validate-list-types.ts';

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

/** Checks the CEL rules of one schema; its methods return the checks of the schemas below it. */
export interface RuleChecks {
  property(name: string): RuleChecks | undefined;
  items(): RuleChecks | undefined;
  additional(): RuleChecks | undefined;
  /** `uncorrelated`: the path of the nearest parent below which old values cannot be correlated. */
  check(at: Path, uncorrelated: Path | undefined): Steps<FieldError[]>;
}

interface SchemaPosition {
  readonly isRoot: boolean;
  /** Whether the schema is inside apiVersion, kind or metadata of the object itself or of an embedded resource. */
  readonly inMeta: boolean;
  /** Why defaults are forbidden here. */
  readonly noDefaults?: string;
  /** The checks of the rules of this schema; absent if rules are not checked here. */
  readonly rules?: RuleChecks | undefined;
  /** The path of the nearest parent below which old values cannot be correlated. */
  readonly uncorrelated?: Path;
}

/**
 * Errors of schemas, and errors of their rules. The rules of a schema are checked only if the schema and all schemas
 * below it are valid.
 */
interface Found {
  readonly ofSchemas: FieldError[];
  readonly ofRules: FieldError[];
}

/**
 * Validates the schema of a definition (apiextensions-apiserver/pkg/apis/apiextensions/validation). Can yield before
 * each schema in it. Without `rules` only the form of rules is validated.
 */
export function* validateOpenApiSchema(schema: JsonObject, at: Path, rules?: RuleChecks): Steps<FieldError[]> {
  const found: Found = { ofSchemas: [], ofRules: [] };
  yield* validateAt(schema, at, { isRoot: true, inMeta: false, rules }, found);
  return found.ofRules.length === 0 ? found.ofSchemas : [...found.ofSchemas, ...found.ofRules];
}

function* validateAt(schema: JsonObject, at: Path, position: SchemaPosition, found: Found): Steps<void> {
  if (sliceIsOver()) yield;
  const before = found.ofSchemas.length;
  const { rules } = position;
  const below: SchemaPosition = { ...position, isRoot: false };
  const inJunctor: SchemaPosition = rules === undefined ? below : { ...below, rules: undefined };
  found.ofSchemas.push(...validateSupported(schema, at, position));
  if (schema['uniqueItems'] === true)
    found.ofSchemas.push(
      forbidden(
        at.child('uniqueItems'),
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  yield* validateAdditional(schema, at, rules === undefined ? below : { ...below, rules: rules.additional() }, found);
  yield* validateProperties(schema, at, position, below, found);
  const not = schemaAt(schema, 'not');
  if (not !== undefined) yield* validateAt(not, at.child('not'), inJunctor, found);
  for (const key of ['allOf', 'oneOf', 'anyOf'])
    yield* validateEach(schemasAt(schema, key), at.child(key), inJunctor, found);
  for (const key of ['definitions', 'dependencies'])
    for (const [name, one] of schemaMapAt(schema, key))
      yield* validateAt(one, at.child(key).key(name), inJunctor, found);
  const items = schemaAt(schema, 'items');
  const ofItems: SchemaPosition =
    schema['x-kubernetes-list-type'] === 'map' ? below : { ...below, uncorrelated: position.uncorrelated ?? at };
  if (items !== undefined)
    yield* validateAt(
      items,
      at.child('items'),
      rules === undefined ? ofItems : { ...ofItems, rules: rules.items() },
      found,
    );
  yield* validateEach(schemasAt(schema, 'items'), at.child('items'), inJunctor, found);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    found.ofSchemas.push(invalid(at.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  found.ofSchemas.push(...validateListAndMapTypes(schema, at), ...validateRules(schema, at));
  if (rules !== undefined && found.ofSchemas.length === before && isSet(schema[rulesKey]))
    found.ofRules.push(...(yield* rules.check(at, position.uncorrelated)));
}

function* validateProperties(
  schema: JsonObject,
  at: Path,
  position: SchemaPosition,
  below: SchemaPosition,
  found: Found,
): Steps<void> {
  const mapType = schema['x-kubernetes-map-type'] ?? 'granular';
  const correlated = mapType === 'granular' || mapType === 'atomic';
  for (const [name, property] of schemaMapAt(schema, 'properties')) {
    const isMeta = (position.isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
    let inside: SchemaPosition = isMeta
      ? { ...below, inMeta: true, ...(position.isRoot ? { noDefaults: `in top-level ${name}` } : {}) }
      : below;
    if (!correlated) inside = { ...inside, uncorrelated: position.uncorrelated ?? at };
    if (position.rules !== undefined) inside = { ...inside, rules: position.rules.property(name) };
    yield* validateAt(property, at.child('properties').key(name), inside, found);
  }
}

function* validateEach(schemas: readonly JsonObject[], at: Path, position: SchemaPosition, found: Found): Steps<void> {
  for (const [index, one] of schemas.entries()) yield* validateAt(one, at.index(index), position, found);
}

function validateSupported(schema: JsonObject, at: Path, position: SchemaPosition): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  if (type !== '' && !types.has(type)) errors.push(notSupported(at.child('type'), type, [...types].toSorted()));
  if (position.noDefaults !== undefined && schema['default'] !== undefined && schema['default'] !== null)
    errors.push(forbidden(at.child('default'), `must not be set ${position.noDefaults}`));
  for (const key of unsupported) {
    const value = schema[key];
    const isPointer = key === 'additionalItems' || key === 'dependencies' || key === '$ref';
    if (isPointer ? value !== undefined && value !== null : isSet(value))
      errors.push(forbidden(at.child(key), `${key} is not supported`));
  }
  if (type === 'null')
    errors.push(forbidden(at.child('type'), 'type cannot be set to null, use nullable as an alternative'));
  if (schemasAt(schema, 'items').length > 0)
    errors.push(forbidden(at.child('items'), 'items must be a schema object and not an array'));
  if (position.inMeta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(forbidden(at.child('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
  }
  return errors;
}

function* validateAdditional(schema: JsonObject, at: Path, position: SchemaPosition, found: Found): Steps<void> {
  const value = schema['additionalProperties'];
  if (value === undefined || value === null) return;
  if (value !== true && schemaMapAt(schema, 'properties').length > 0) {
    found.ofSchemas.push(
      forbidden(at.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive'),
    );
  }
  const additional = schemaAt(schema, 'additionalProperties');
  const inside = position.inMeta
    ? { ...position, noDefaults: 'inside additionalProperties applying to object metadata' }
    : position;
  if (additional !== undefined) yield* validateAt(additional, at.child('additionalProperties'), inside, found);
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Validates the form of rules. */
function validateRules(schema: JsonObject, at: Path): FieldError[] {
  const rules = objectsAt(schema, rulesKey);
  if (rules.length === 0) return [];
  const path = at.child(rulesKey);
  const node = new SchemaNode(schema);
  return rules.flatMap((rule, index) => validateRule(rule, node, path.index(index)));
}

function validateRule(rule: JsonObject, schema: SchemaNode, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const [text, message, messageExpression, fieldPath] = ['rule', 'message', 'messageExpression', 'fieldPath'].map(
    (key) => stringAt(rule, key),
  );
  const isBlank = (value = ''): boolean => value !== '' && value.trim() === '';
  const breaks = (value = ''): boolean => /[\n\r]/.test(value);
  if ((text ?? '').trim() === '') errors.push(required(at.child('rule'), 'rule is not specified'));
  else if (isBlank(message)) errors.push(invalid(at.child('message'), message, 'must be non-empty if specified'));
  else if (breaks(message?.trim())) errors.push(invalid(at.child('message'), message, 'must not contain line breaks'));
  else if (breaks(text?.trim()) && message?.trim() === '')
    errors.push(required(at.child('message'), 'message must be specified if rule contains line breaks'));
  if (isBlank(messageExpression))
    errors.push(required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  const reason = rule['reason'];
  if (typeof reason === 'string' && !reasons.includes(reason))
    errors.push(notSupported(at.child('reason'), reason, reasons));
  if (isBlank(fieldPath)) errors.push(invalid(at.child('fieldPath'), fieldPath, 'must be non-empty if specified'));
  if (breaks(fieldPath)) errors.push(invalid(at.child('fieldPath'), fieldPath, 'must not contain line breaks'));
  if (fieldPath !== undefined && fieldPath !== '' && !leadsSomewhere(fieldPath, schema))
    errors.push(invalid(at.child('fieldPath'), fieldPath, 'must be a valid path'));
  return errors;
}

function leadsSomewhere(fieldPath: string, schema: SchemaNode): boolean {
  try {
    followFieldPath(fieldPath, schema);
    return true;
  } catch (error) {
    if (error instanceof FieldPathError) return false;
    throw error;
  }
}

/** Why a schema cannot be converted to a structural schema; undefined if it can. Can yield before each schema in it. */
export function* structuralObstacle(schema: JsonObject): Steps<string | undefined> {
  if (sliceIsOver()) yield;
  for (const key of ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions']) {
    if (isSet(getKey(schema, key))) return `OpenAPIV3Schema '${key === '$schema' ? 'schema' : key}' is not supported`;
  }
  if (schemasAt(schema, 'items').length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
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
