import { exactTextOf, maxExactText, noteExactText } from '#shared/apimachinery/json/exact-texts.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import type { Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { keepText, rawText } from './loose.ts';
import { parseJsonText } from './parse.ts';

/** Whether a text is that of a value; a patch may have changed the value at that place. */
type Belongs = (text: string, value: JsonValue) => boolean;

/**
 * Keeps the text of raw JSON in built-in types (runtime.RawExtension) where printing would change it. The reference
 * holds raw JSON as bytes: blanks, `1.0`, escapes and duplicate keys stay. The raw JSON is found in the text that the
 * object was read from.
 */
export function* keepExactRaw(schema: StructSchema, object: JsonObject, text: string): Steps<void> {
  yield* new RawFinder(text, () => true).find(schema, object);
}

/** Keeps the exact text of raw JSON members that a patch of the printed object did not touch. */
export function* keepUntouchedRaw(schema: StructSchema, object: JsonObject, printed: string): Steps<void> {
  if (holdsRawJson(schema))
    yield* new RawFinder(printed, (text, value) => rawText(atOnce(parseJsonText(text))) === rawText(value)).find(
      schema,
      object,
    );
}

/** Keeps the text of a value unless it equals the printed text. */
export function keepExactText(value: JsonValue, text: string, belongs: Belongs = () => true): void {
  if (
    typeof value !== 'object' ||
    value === null ||
    text.length > maxExactText ||
    text === rawText(value) ||
    !belongs(text, value)
  )
    return;
  Object.freeze(value);
  keepText(value, compact(text));
  noteExactText(value, text);
}

/** Whether the object has a kept text that differs from the printed one. */
export function holdsExactRaw(schema: StructSchema, object: JsonObject): boolean {
  return holdsRawJson(schema) && someRaw(schema, object, object, (value) => exactTextOf(value) !== undefined);
}

/** Copies the kept texts of an object read from storage to another copy of the same object. */
export function takeExactRaw(schema: StructSchema, object: JsonObject, stored: JsonObject): void {
  someRaw(schema, object, stored, (value, known) => {
    const text = exactTextOf(known);
    if (text !== undefined) keepExactText(value, text);
    return false;
  });
}

function someRaw(
  schema: Schema,
  value: JsonValue | undefined,
  other: JsonValue | undefined,
  found: (value: JsonValue, other: JsonValue) => boolean,
): boolean {
  if (value === undefined || other === undefined || !holdsRawJson(schema)) return false;
  if (schema.kind === 'scalar') return found(value, other);
  if (schema.kind === 'list')
    return (
      Array.isArray(value) &&
      Array.isArray(other) &&
      value.some((item, at) => someRaw(schema.items, item, other[at], found))
    );
  if (!isObject(value) || !isObject(other)) return false;
  if (schema.kind === 'map')
    return Object.keys(value).some((key) => someRaw(schema.values, getKey(value, key), getKey(other, key), found));
  return schema.flat.some((field) =>
    someRaw(field.schema, getKey(value, field.name), getKey(other, field.name), found),
  );
}

const [quote, backslash] = [0x22, 0x5c];
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isClosed = (code: number): boolean => code === 0x7d || code === 0x5d;
const isOpen = (code: number): boolean => code === 0x7b || code === 0x5b;

/** Walks a valid JSON text along a schema. */
class RawFinder {
  readonly #text: string;
  readonly #belongs: Belongs;
  #at = 0;

  constructor(text: string, belongs: Belongs) {
    this.#text = text;
    this.#belongs = belongs;
  }

  *find(schema: Schema, value: JsonValue | undefined): Steps<void> {
    this.#skipBlanks();
    const start = this.#at;
    if (schema.kind === 'scalar') {
      yield* this.#skipValue();
      if (schema.type === 'rawExtension' && value !== undefined)
        keepExactText(value, this.#text.slice(start, this.#at), this.#belongs);
    } else if (Array.isArray(value) && schema.kind === 'list' && this.#text[start] === '[') {
      yield* this.#members(function* (this: RawFinder, index) {
        yield* this.find(schema.items, value[index]);
      });
    } else if (isObject(value) && schema.kind !== 'list' && this.#text[start] === '{') {
      yield* this.#members(function* (this: RawFinder) {
        const key = this.#key();
        const member = schema.kind === 'map' ? schema.values : schema.byName.get(key)?.schema;
        if (member !== undefined && holdsRawJson(member)) yield* this.find(member, getKey(value, key));
        else yield* this.#skipValue();
      });
    } else yield* this.#skipValue();
  }

  *#members(read: (this: RawFinder, index: number) => Steps<void>): Steps<void> {
    this.#at++;
    for (let index = 0; ; index++) {
      this.#skipBlanks();
      if (isClosed(this.#text.charCodeAt(this.#at))) break;
      yield* read.call(this, index);
      this.#skipBlanks();
      if (this.#text[this.#at] === ',') this.#at++;
    }
    this.#at++;
  }

  #key(): string {
    const start = this.#at;
    this.#skipString();
    const key = JSON.parse(this.#text.slice(start, this.#at)) as string;
    this.#skipBlanks();
    // The colon.
    this.#at++;
    return key;
  }

  *#skipValue(): Steps<void> {
    this.#skipBlanks();
    let depth = 0;
    do {
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) this.#skipString();
      else if (isOpen(code) || isClosed(code)) {
        depth += isOpen(code) ? 1 : -1;
        this.#at++;
      } else this.#skipWord();
      if (depth > 0) this.#skipBetween();
      if (sliceIsOver()) yield;
    } while (depth > 0);
  }

  #skipString(): void {
    for (this.#at++; this.#text.charCodeAt(this.#at) !== quote; this.#at++)
      if (this.#text.charCodeAt(this.#at) === backslash) this.#at++;
    this.#at++;
  }

  /** A number or a name. */
  #skipWord(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code) || isBlank(code) || isClosed(code) || code === 0x2c) return;
    }
  }

  #skipBetween(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (!isBlank(code) && code !== 0x2c && code !== 0x3a) return;
    }
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++;
  }
}

const escaped = new Map([
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

/** The text as Go prints the result of a MarshalJSON: without blanks, and with HTML characters escaped. */
function compact(text: string): string {
  let out = '';
  let isInString = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (code === backslash) at++;
    else {
      const instead = isInString ? escaped.get(text[at] as string) : isBlank(code) ? '' : undefined;
      if (instead === undefined) continue;
      out += text.slice(from, at) + instead;
      from = at + 1;
    }
  }
  return out + text.slice(from);
}
