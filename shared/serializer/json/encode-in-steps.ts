import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type { ListSchema, MapSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { fieldWriters, memberText, writerOf, zeroText, type FieldWriter } from './encode.ts';
import { quoteJson, sortedKeysInSteps } from './go-text.ts';
import { looseTextInSteps, rawTextInSteps } from './loose-in-steps.ts';
import { isLongText, quoteJsonInSteps } from './quoted-pieces.ts';
import { isRaw, schemaForm } from './schema-forms.ts';

/** The text that `jsonText` makes, for large objects: small parts are written at once, with steps between them. */
export function* jsonTextInSteps(schema: Schema, value: JsonValue): Steps<string> {
  if (!isSliced() || isSmall(value)) return writerOf(schema)(value);
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
  let written = 0;
  for (const item of list) {
    const weight = weightOf(item);
    if (item === null) texts.push(schema.itemPointer === true ? 'null' : zeroText(schema.items));
    else texts.push(weight <= smallWeight ? write(item) : yield* jsonTextInSteps(schema.items, item));
    written += weight;
    if (written < stepWeight) continue;
    written = 0;
    if (sliceIsOver()) yield;
  }
  return `[${yield* joined(texts)}]`;
}

function* mapText(schema: MapSchema, map: JsonObject): Steps<string> {
  const texts: string[] = [];
  const write = writerOf(schema.values);
  let written = 0;
  for (const key of yield* sortedKeysInSteps(map)) {
    const value = getKey(map, key) as JsonValue;
    const weight = weightOf(value);
    let text: string;
    if (value === null) text = zeroText(schema.values);
    else text = weight <= smallWeight ? write(value) : yield* jsonTextInSteps(schema.values, value);
    texts.push(`${quoteJson(key)}:${text}`);
    written += weight;
    if (written < stepWeight) continue;
    written = 0;
    if (sliceIsOver()) yield;
  }
  return `{${yield* joined(texts)}}`;
}

/** Parts up to this weight are written at once: some ten microseconds. */
const smallWeight = 64;
/** The weight of what is written between two looks at the clock. */
const stepWeight = 256;
const charactersOfWeight = 256;

function isSmall(value: JsonValue): boolean {
  return weightOf(value) <= smallWeight;
}

/** The number of values in a value, long texts counting more; counting stops above {@link smallWeight}. */
function weightOf(value: JsonValue): number {
  return smallWeight - roomAfter(value, smallWeight);
}

function weightOfText({ length }: string): number {
  return 1 + Math.floor(length / charactersOfWeight);
}

/**
 * Objects with more keys than {@link smallWeight}. V8 lists all keys before it tells the first one, which takes 100 ms
 * where they fill a body, and each object around such a one is weighed, too.
 */
const large = new WeakSet<JsonObject>();

/** The room that is left after a value; negative if there was not enough. */
function roomAfter(value: JsonValue, room: number): number {
  if (typeof value === 'string') return room - weightOfText(value);
  let left = room - 1;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at] as JsonValue, left);
    return left;
  }
  if (left < 0 || large.has(value)) return -1;
  let keys = 0;
  for (const key in value) {
    if (left >= 0) left = roomAfter(value[key] as JsonValue, left - weightOfText(key));
    else if (keys > smallWeight) {
      large.add(value);
      break;
    }
    keys++;
  }
  return left;
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
    const isLeftToWriter = member === undefined || member === null || isSmall(member);
    const text = isLeftToWriter ? memberText(field, member) : yield* largeMemberText(field, member);
    if (text !== undefined) texts.push(field.key + text);
  }
  return `{${texts.join(',')}}`;
}

function* largeMemberText(field: FieldWriter, member: JsonValue): Steps<string | undefined> {
  if (field.schema.kind !== 'map')
    return field.omit?.(member) === true ? undefined : yield* jsonTextInSteps(field.schema, member);
  // To ask a large map whether it is empty costs as much as to list its keys.
  const text = yield* jsonTextInSteps(field.schema, member);
  return text === '{}' && field.omit !== undefined ? undefined : text;
}
