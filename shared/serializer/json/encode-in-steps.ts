import { innerSchema } from '../../apimachinery/inner-schema.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
import type { ListSchema, MapSchema, Schema, StructSchema } from '../../apimachinery/schema.ts';
import { isSliced, sliceIsOver, type Steps } from '../../apimachinery/slices.ts';
import { fieldWriters, memberText, writerOf, zeroText } from './encode.ts';
import { quoteJson, sortedKeysInSteps } from './go-text.ts';
import { looseTextInSteps, rawTextInSteps } from './loose-in-steps.ts';
import { isLongText, quoteJsonInSteps } from './quoted-pieces.ts';
import { isRaw, schemaForm } from './schema-forms.ts';

/** The text that `jsonText` makes, for large objects: a step for each object or list. */
export function* jsonTextInSteps(schema: Schema, value: JsonValue): Steps<string> {
  if (!isSliced()) return writerOf(schema)(value);
  if (sliceIsOver()) yield;
  switch (schema.kind) {
    case 'list':
      return Array.isArray(value) ? yield* listText(schema, value) : writerOf(schema)(value);
    case 'map':
      return isObject(value) ? yield* mapText(schema, value) : writerOf(schema)(value);
    case 'struct':
      if (schema.custom !== undefined) return yield* looseTextInSteps(value);
      return isObject(value) ? yield* structText(schema, value) : writerOf(schema)(value);
    case 'scalar':
      if (isLongText(value)) return yield* quoteJsonInSteps(value);
      return isRaw(schema) ? yield* rawTextInSteps(value) : writerOf(schema)(value);
  }
}

function* listText(schema: ListSchema, list: readonly JsonValue[]): Steps<string> {
  const texts: string[] = [];
  const write = writerOf(schema.items);
  for (const item of list) {
    if (item === null) texts.push(schema.itemPointer === true ? 'null' : zeroText(schema.items));
    else
      texts.push(
        typeof item === 'object' || isLongText(item) ? yield* jsonTextInSteps(schema.items, item) : write(item),
      );
    if (sliceIsOver()) yield;
  }
  return `[${yield* joined(texts)}]`;
}

function* mapText(schema: MapSchema, map: JsonObject): Steps<string> {
  const texts: string[] = [];
  const write = writerOf(schema.values);
  for (const key of yield* sortedKeysInSteps(map)) {
    const value = getKey(map, key) as JsonValue;
    const text =
      value === null
        ? zeroText(schema.values)
        : typeof value === 'object' || isLongText(value)
          ? yield* jsonTextInSteps(schema.values, value)
          : write(value);
    texts.push(`${quoteJson(key)}:${text}`);
    if (sliceIsOver()) yield;
  }
  return `{${yield* joined(texts)}}`;
}

const blockTexts = 4096;

/** Joins texts with commas, block by block. */
function* joined(texts: readonly string[]): Steps<string> {
  if (texts.length <= blockTexts) return texts.join(',');
  const blocks: string[] = [];
  for (let at = 0; at < texts.length; at += blockTexts) {
    blocks.push(texts.slice(at, at + blockTexts).join(','));
    if (sliceIsOver()) yield;
  }
  return blocks.join(',');
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
