import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { invalid, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { errorBelow } from './check-result.ts';
import { checkValue } from './check-value.ts';
import { validateEmbedded } from './embedded-resources.ts';
import { pruneValue } from './prune.ts';
import { SchemaNode } from './schema-node.ts';

/** Defaults are valid values without unknown fields (apiextensions-apiserver/pkg/apiserver/schema/defaulting). */
export function validateDefaults(schema: JsonObject, at: Path): FieldError[] {
  return validateAt(new SchemaNode(schema), at);
}

function validateAt(schema: SchemaNode, at: Path): FieldError[] {
  const errors = schema.default === undefined ? [] : validateOne(schema.default, schema, at.child('default'));
  if (schema.items !== undefined) errors.push(...validateAt(schema.items, at.child('items')));
  for (const [name, property] of schema.properties) errors.push(...validateAt(property, at.child('properties').key(name)));
  return errors;
}

function validateOne(value: JsonValue, schema: SchemaNode, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = cloneJson(value);
  pruneValue(pruned, schema);
  if (!deepEqual(pruned, value)) errors.push(invalid(at, value, 'must not have unknown fields'));
  const found = [...validateEmbedded(value, schema, at), ...checkValue(value, schema, '').violations.map(({ error }) => errorBelow(error(), at))];
  return [...errors, ...found];
}
