import { innerSchema } from '../../apimachinery/inner-schema.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
import type { ListSchema, MapSchema, Schema, StructSchema } from '../../apimachinery/schema.ts';
import { isSliced, sliceIsOver, type Steps } from '../../apimachinery/slices.ts';
import { fieldWriters, memberText, writerOf } from './encode.ts';
import { quoteJson, sortedKeysInSteps } from './go-text.ts';
import { looseText } from './loose.ts';
import { schemaForm } from './schema-forms.ts';

/** The text that `jsonText` makes, for objects that take long: a step for each value that holds others. */
export function* jsonTextInSteps(schema: Schema, value: JsonValue): Steps<string> {
  if (!isSliced()) return writerOf(schema)(value);
  if (sliceIsOver()) yield;
  switch (schema.kind) {
    case 'list': return Array.isArray(value) && !value.includes(null) ? yield* listText(schema, value) : writerOf(schema)(value);
    case 'map': return isObject(value) && !Object.values(value).includes(null) ? yield* mapText(schema, value) : writerOf(schema)(value);
    case 'struct':
      if (schema.custom !== undefined) return yield* looseTextInSteps(value);
      return isObject(value) ? yield* structText(schema, value) : writerOf(schema)(value);
    default: return writerOf(schema)(value);
  }
}

/** The text that `looseText` makes, for values that take long. */
export function* looseTextInSteps(value: JsonValue): Steps<string> {
  if (typeof value !== 'object' || value === null || !isSliced()) return looseText(value);
  const parts: string[] = [];
  yield* appendLoose(value, parts);
  return parts.join('');
}

/** To one list of parts: what is nested deep would be copied at each level. */
function* appendLoose(value: JsonObject | JsonValue[], parts: string[]): Steps<void> {
  if (Array.isArray(value)) {
    parts.push('[');
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      if (i > 0) parts.push(',');
      if (typeof item === 'object' && item !== null) yield* appendLoose(item, parts);
      else parts.push(looseText(item));
    }
    parts.push(']');
    return;
  }
  let before = '{';
  for (const key of yield* sortedKeysInSteps(value)) {
    const member = getKey(value, key);
    if (member === undefined) continue;
    parts.push(before, quoteJson(key), ':');
    before = ',';
    if (typeof member === 'object' && member !== null) yield* appendLoose(member, parts);
    else parts.push(looseText(member));
    if (sliceIsOver()) yield;
  }
  parts.push(before === '{' ? '{}' : '}');
}

function* listText(schema: ListSchema, list: readonly JsonValue[]): Steps<string> {
  const texts: string[] = [];
  for (const item of list) texts.push(yield* jsonTextInSteps(schema.items, item));
  return `[${texts.join(',')}]`;
}

function* mapText(schema: MapSchema, map: JsonObject): Steps<string> {
  const texts: string[] = [];
  for (const key of yield* sortedKeysInSteps(map)) texts.push(`${quoteJson(key)}:${yield* jsonTextInSteps(schema.values, getKey(map, key) as JsonValue)}`);
  return `{${texts.join(',')}}`;
}

function* structText(schema: StructSchema, object: JsonObject): Steps<string> {
  if (schemaForm(schema) !== undefined) return yield* structText(innerSchema(schema), object);
  const texts: string[] = [];
  for (const field of fieldWriters(schema)) {
    const member = getKey(object, field.name);
    const isLeftOut = member === undefined || member === null || field.omit?.(member) === true;
    const text = isLeftOut ? memberText(field, member) : yield* jsonTextInSteps(field.schema, member);
    if (text !== undefined) texts.push(field.key + text);
  }
  return `{${texts.join(',')}}`;
}
