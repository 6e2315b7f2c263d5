import { innerSchema } from '../../apimachinery/inner-schema.ts';
import { isObject, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
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
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) texts.push(typeof item === 'object' ? yield* looseTextInSteps(item) : looseText(item));
    return `[${texts.join(',')}]`;
  }
  for (const key of yield* sortedKeysInSteps(value)) {
    const member = value[key];
    if (member !== undefined) texts.push(`${quoteJson(key)}:${typeof member === 'object' ? yield* looseTextInSteps(member) : looseText(member)}`);
    if (sliceIsOver()) yield;
  }
  return `{${texts.join(',')}}`;
}

function* listText(schema: ListSchema, list: readonly JsonValue[]): Steps<string> {
  const texts: string[] = [];
  for (const item of list) texts.push(yield* jsonTextInSteps(schema.items, item));
  return `[${texts.join(',')}]`;
}

function* mapText(schema: MapSchema, map: JsonObject): Steps<string> {
  const texts: string[] = [];
  for (const key of yield* sortedKeysInSteps(map)) texts.push(`${quoteJson(key)}:${yield* jsonTextInSteps(schema.values, map[key] as JsonValue)}`);
  return `{${texts.join(',')}}`;
}

function* structText(schema: StructSchema, object: JsonObject): Steps<string> {
  if (schemaForm(schema) !== undefined) return yield* structText(innerSchema(schema), object);
  const texts: string[] = [];
  for (const field of fieldWriters(schema)) {
    const member = object[field.name];
    const isLeftOut = member === undefined || member === null || field.omit?.(member) === true;
    const text = isLeftOut ? memberText(field, member) : yield* jsonTextInSteps(field.schema, member);
    if (text !== undefined) texts.push(field.key + text);
  }
  return `{${texts.join(',')}}`;
}
