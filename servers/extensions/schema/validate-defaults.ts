import { loadFacts } from '#shared/api/load-facts.ts';
import { aggregateText, invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorBelow } from './check-result.ts';
import { checkValue } from './check-value.ts';
import { coerceEmbedded, MalformedResource, validateEmbedded } from './embedded-resources.ts';
import { printedValue } from './printed-value.ts';
import { pruneValue } from './prune.ts';
import { SchemaNode } from './schema-node.ts';
import { schemaAt } from './schema-walk.ts';

const metaFields: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/**
 * The position of a schema: the resource that contains it, and `surround`, which turns a value at this position into an
 * object of that resource.
 */
interface SchemaPosition {
  readonly resource: SchemaNode;
  readonly surround: (value: JsonValue) => JsonValue;
  readonly inMeta: boolean;
  readonly rules: DefaultRules | undefined;
}

/** Checks a default against the rules of its schema; `isOver` once the cost budget is used up. */
export interface DefaultRules {
  readonly isOver: boolean;
  check(value: JsonValue, schema: SchemaNode, isResource: boolean, at: Path): Steps<FieldError[]>;
}

/**
 * Validates that defaults are valid, have no unknown fields and satisfy the rules, if there are any
 * (apiextensions-apiserver/pkg/apiserver/schema/defaulting). Can yield before each schema.
 */
export function* validateDefaults(schema: JsonObject, at: Path, rules?: DefaultRules): Steps<FieldError[]> {
  const withDefaults = new Set<JsonObject>();
  if (!(yield* findDefaults(schema, withDefaults))) return [];
  const root = new SchemaNode({ ...schema, 'x-kubernetes-embedded-resource': true }, true);
  return yield* validateAt(
    root,
    at,
    { resource: root, surround: (value) => value, inMeta: false, rules },
    (below) => below === root || withDefaults.has(below.raw),
  );
}

/** Collects the schemas that have or contain a default, so that the others can be skipped; most have none. */
function* findDefaults(schema: JsonObject, found: Set<JsonObject>): Steps<boolean> {
  if (sliceIsOver()) yield;
  let has = schema['default'] !== undefined;
  const items = schemaAt(schema, 'items');
  if (items !== undefined && (yield* findDefaults(items, found))) has = true;
  const properties = schemaAt(schema, 'properties') ?? {};
  for (const name of Object.keys(properties)) {
    const property = schemaAt(properties, name);
    if (property !== undefined && (yield* findDefaults(property, found))) has = true;
  }
  if (has) found.add(schema);
  return has;
}

function* validateAt(
  schema: SchemaNode,
  at: Path,
  outer: SchemaPosition,
  hasDefaults: (schema: SchemaNode) => boolean,
): Steps<FieldError[]> {
  if (sliceIsOver()) yield;
  if (!hasDefaults(schema)) return [];
  const position: SchemaPosition = schema.embedded
    ? { resource: schema, surround: (value) => value, inMeta: false, rules: outer.rules }
    : outer;
  if (position.rules?.isOver === true) return [];
  const errors =
    schema.default === undefined ? [] : yield* validateOne(schema.default, schema, at.child('default'), position);
  if (schema.items !== undefined)
    errors.push(
      ...(yield* validateAt(
        schema.items,
        at.child('items'),
        { ...position, surround: (value) => position.surround([value]) },
        hasDefaults,
      )),
    );
  for (const [name, property] of schema.properties) {
    const inMeta = position.inMeta || (schema.embedded && metaFields.has(name));
    errors.push(
      ...(yield* validateAt(
        property,
        at.child('properties').key(name),
        { ...position, inMeta, surround: (value) => position.surround({ [name]: value }) },
        hasDefaults,
      )),
    );
  }
  return errors;
}

function* validateOne(value: JsonValue, schema: SchemaNode, at: Path, position: SchemaPosition): Steps<FieldError[]> {
  const { rules } = position;
  const ofSchema = function* (): Steps<FieldError[]> {
    const broken = atOnce(checkValue(value, schema, '')).violations.map(({ error }) => errorBelow(error(), at));
    return broken.length > 0 || rules === undefined
      ? broken
      : yield* rules.check(value, schema, schema === position.resource, at);
  };
  if (position.inMeta) {
    const problem = metadataProblem(value, position);
    return problem === undefined
      ? yield* ofSchema()
      : [invalid(at, printedValue(value), `must result in valid metadata: ${problem}`)];
  }
  const pruned = cloneJson(value);
  pruneValue(pruned, schema);
  const isPruned = deepEqual(pruned, value);
  // The metadata of the default itself is normalized, and stored so.
  const malformed = malformedResource(value, schema);
  const errors = isPruned ? [] : [invalid(at, printedValue(value), 'must not have unknown fields')];
  if (malformed !== undefined) return [...errors, errorBelow(malformed, at)];
  const embedded = atOnce(validateEmbedded(value, schema, objectMeta(), at));
  return [...errors, ...(embedded.length > 0 ? embedded : yield* ofSchema())];
}

/** The joined errors of a resource whose metadata contains the default; undefined if the resource is valid. */
function metadataProblem(value: JsonValue, { resource, surround }: SchemaPosition): string | undefined {
  const object = { kind: 'Validation', apiVersion: 'validation/v1', ...(surround(cloneJson(value)) as JsonObject) };
  const malformed = malformedResource(object, resource);
  if (malformed !== undefined) return aggregateText([malformed]);
  const errors = atOnce(validateEmbedded(object, resource, objectMeta()));
  return errors.length === 0 ? undefined : aggregateText(errors);
}

/** Normalizes embedded resources in place; returns the error of one that is malformed. */
function malformedResource(value: JsonValue, schema: SchemaNode): FieldError | undefined {
  try {
    atOnce(coerceEmbedded(value, schema, objectMeta()));
    return undefined;
  } catch (error) {
    if (error instanceof MalformedResource) return error.fieldError;
    throw error;
  }
}

function objectMeta(): StructSchema {
  const schema = loadFacts().model('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('no schema of ObjectMeta');
  return schema;
}
