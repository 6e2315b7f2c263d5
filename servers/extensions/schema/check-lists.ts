import { duplicate, invalid, path, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { PresentKeys } from '#shared/apimachinery/json/present-keys.ts';
import { holdsFloats, isFloatIn } from '#shared/apimachinery/json/whole-floats.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { printedValue } from './printed-value.ts';
import type { SchemaNode } from './schema-node.ts';

/** Whether {@link checkLists} checks lists of this schema. */
export function isOfUniqueItems(schema: JsonObject): boolean {
  const type = schema['x-kubernetes-list-type'];
  return type === 'set' || type === 'map';
}

/**
 * Rejects duplicate items in lists that are sets or maps (apiextensions-apiserver/pkg/apiserver/schema/listtype).
 * `leading`: the schemas of such lists, and the schemas that contain them.
 */
export function* checkLists(
  object: JsonObject,
  schema: SchemaNode,
  leading: ReadonlySet<JsonObject>,
): Steps<FieldError[]> {
  if (!leading.has(schema.raw)) return [];
  const found: UniqueList[] = [];
  findInObject(object, schema, undefined, leading, found);
  const errors: FieldError[] = [];
  for (const list of found) yield* list.schema.listType === 'set' ? checkSet(list, errors) : checkMap(list, errors);
  return errors;
}

/** A list that is a set or map. */
interface UniqueList {
  readonly list: readonly JsonValue[];
  readonly schema: SchemaNode;
  readonly at: Path;
}

function findInObject(
  object: JsonObject,
  schema: SchemaNode,
  at: Path | undefined,
  leading: ReadonlySet<JsonObject>,
  found: UniqueList[],
): void {
  const { properties, additional } = schema;
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key] as JsonValue;
    if (typeof value !== 'object' || value === null) continue;
    const declared = properties.get(key);
    if (additional !== undefined && leading.has(additional.raw))
      findBelow(value, additional, at === undefined ? path(`[${key}]`) : at.key(key), leading, found);
    if (declared !== undefined && leading.has(declared.raw))
      findBelow(value, declared, at === undefined ? path(key) : at.child(key), leading, found);
  }
}

function findBelow(
  value: JsonValue,
  schema: SchemaNode,
  at: Path,
  leading: ReadonlySet<JsonObject>,
  found: UniqueList[],
): void {
  if (isObject(value)) return findInObject(value, schema, at, leading, found);
  if (!Array.isArray(value)) return;
  if (isOfUniqueItems(schema.raw)) found.push({ list: value, schema, at });
  const { items } = schema;
  if (items !== undefined && leading.has(items.raw))
    value.forEach((item, index) => findBelow(item, items, at.index(index), leading, found));
}

function* checkSet({ list, at }: UniqueList, errors: FieldError[]): Steps<void> {
  for (const index of yield* repeated(list, (place) => floatsIn(list, [String(place)])))
    errors.push(duplicate(at.index(index), printedValue(list[index])));
}

function* checkMap({ list, schema, at }: UniqueList, errors: FieldError[]): Steps<void> {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) {
    errors.push(invalid(at.index(wrong), printedValue(list[wrong]), 'must be an object for an array of list-type map'));
    return;
  }
  const keys = new PresentKeys(schema.listMapKeys.toSorted());
  const identities = list.map((item): JsonObject => identity(isObject(item) ? item : {}, keys));
  const marks = (place: number): string => floatsIn(list[place], Object.keys(identities[place] as JsonObject));
  for (const index of yield* repeated(identities, marks)) errors.push(duplicate(at.index(index), identities[index]));
}

function identity(item: JsonObject, keys: PresentKeys): JsonObject {
  const made: JsonObject = {};
  for (const key of keys.in(item)) setKey(made, key, getKey(item, key) as JsonValue);
  return made;
}

/** The keys whose values were written as floats: a float never equals an integer. */
function floatsIn(holder: unknown, keys: readonly string[]): string {
  return holdsFloats(holder) ? ` ${keys.filter((key) => isFloatIn(holder, key)).join()}` : '';
}

/**
 * Positions at which an item occurs for the second time; further repetitions are not reported. `mark` tells apart
 * different items with the same text.
 */
function* repeated(list: readonly JsonValue[], mark: (index: number) => string): Steps<number[]> {
  const found: number[] = [];
  if (list.length <= 1) return found;
  const seen = new Map<string, number>();
  for (let i = 0; i < list.length; i++) {
    const text = looseText(list[i]) + mark(i);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    if (times === 1) found.push(i);
    if (sliceIsOver()) yield;
  }
  return found;
}
