import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import {
  kindOfText,
  nameOfType,
  ValueTypeError,
  type EncodingJsonType,
  type EncodingJsonField,
  type EncodingJsonStruct,
} from './encoding-json-types.ts';
import { safeParse } from './safe-parse.ts';
import { findSyntaxError } from './syntax-error.ts';

const [quote, comma, backslash, letterN] = [0x22, 0x2c, 0x5c, 0x6e];
const [openBracket, closingBracket, openBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What became of a text: the value, as far as it could be read, and the text of Go's error. */
export interface DecodedText {
  /** undefined for a nil pointer, slice or map. */
  readonly value: JsonValue | undefined;
  readonly error?: string;
}

/**
 * Decodes a JSON text as Go's encoding/json decodes it into a value of the type: names of fields in any case, unknown
 * ones ignored, null is no value. The first value of a wrong type is the error, and the rest is decoded.
 *
 * The reference reads most JSON with another decoder (see conform.ts); this is for JSON in annotations.
 */
export function decodeEncodingJson(text: string, type: EncodingJsonType): DecodedText {
  const wrong = syntaxErrorOf(text);
  if (wrong !== undefined) return { value: zeroOf(type), error: wrong };
  const decoder = new Decoder(text);
  try {
    const value = decoder.decode(type, undefined);
    return decoder.error === undefined ? { value } : { value, error: decoder.error };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const told = error instanceof ValueTypeError ? decoder.mismatch(error.kind, error.type) : error.message;
    return { value: zeroOf(type), error: told };
  }
}

function syntaxErrorOf(text: string): string | undefined {
  try {
    safeParse(text);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return findSyntaxError(Buffer.from(text, 'utf8'));
    throw error;
  }
}

/** The zero value of a type; undefined for nil. */
function zeroOf(type: EncodingJsonType): JsonValue | undefined {
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
      return 0;
    case 'unmarshaler':
      return type.zero;
    case 'struct':
      return zeroStruct(type);
    default:
      return undefined;
  }
}

function zeroStruct({ fields }: EncodingJsonStruct): JsonObject {
  const made: JsonObject = {};
  for (const field of fields) put(made, field, zeroOf(field.type));
  return made;
}

function put(
  into: JsonObject,
  { name, as = name, type, omitsZero }: EncodingJsonField,
  value: JsonValue | undefined,
): void {
  if (value === undefined || (omitsZero === true && value === zeroOf(type))) delete into[as];
  else setKey(into, as, value);
}

/** Of a text that is valid JSON. */
class Decoder {
  readonly #text: string;
  #at = 0;
  /** The innermost struct, and the fields on the way to the value. */
  #struct = '';
  #path: readonly string[] = [];
  /** Of the first value of a wrong type. */
  error: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param present what an earlier member of the same name left, which this one adds to */
  decode(type: EncodingJsonType, present: JsonValue | undefined): JsonValue | undefined {
    const first = this.#peek();
    if (type.kind === 'pointer') {
      if (first !== letterN) return this.decode(type.to, present ?? zeroOf(type.to));
      this.#raw();
      return undefined;
    }
    if (type.kind === 'unmarshaler') return type.read(this.#raw());
    if (first === openBrace && type.kind === 'struct') return this.#object(type, present);
    if (first === openBrace && type.kind === 'map') return this.#map(type.of, present);
    if (first === openBracket && type.kind === 'slice') return this.#list(type.of, present);
    return this.#literal(type, this.#raw(), present ?? zeroOf(type));
  }

  #literal(type: EncodingJsonType, raw: string, present: JsonValue | undefined): JsonValue | undefined {
    // Null makes slices and maps nil, and changes nothing else.
    if (raw === 'null') return type.kind === 'slice' || type.kind === 'map' ? undefined : present;
    const kind = kindOfText(raw);
    if (kind === type.kind) return kind === 'string' ? (safeParse(raw) as string).toWellFormed() : raw === 'true';
    if (kind !== 'number' || (type.kind !== 'int32' && type.kind !== 'int64')) return this.#refuse(kind, type, present);
    const bits = type.kind === 'int32' ? 32 : 64;
    if (!/^-?\d+$/.test(raw) || BigInt.asIntN(bits, BigInt(raw)) !== BigInt(raw))
      return this.#refuse(`number ${raw}`, type, present);
    const number = Number(raw);
    return Number.isSafeInteger(number) ? number : BigInt(raw);
  }

  #refuse(kind: string, type: EncodingJsonType, present: JsonValue | undefined): JsonValue | undefined {
    this.error ??= this.mismatch(kind, nameOfType(type));
    return present;
  }

  /** The error about a value of a wrong type at the place that was reached. */
  mismatch(kind: string, type: string): string {
    const place = this.#struct === '' ? 'value' : `struct field ${this.#struct}.${this.#path.join('.')}`;
    return `json: cannot unmarshal ${kind} into Go ${place} of type ${type}`;
  }

  #object(type: EncodingJsonStruct, present: JsonValue | undefined): JsonObject {
    const made = isObject(present) ? present : zeroStruct(type);
    const [outerStruct, outerPath] = [this.#struct, this.#path];
    for (let name = this.#nextMember(); name !== undefined; name = this.#nextMember()) {
      const field = fieldOf(type, name);
      if (field === undefined) {
        this.#raw();
        continue;
      }
      this.#struct = type.name.slice(type.name.lastIndexOf('.') + 1);
      this.#path = [...outerPath, field.name];
      put(made, field, this.decode(field.type, getKey(made, field.as ?? field.name)));
      [this.#struct, this.#path] = [outerStruct, outerPath];
    }
    return made;
  }

  #map(of: EncodingJsonType, present: JsonValue | undefined): JsonObject {
    const made = isObject(present) ? present : {};
    for (let name = this.#nextMember(); name !== undefined; name = this.#nextMember())
      setKey(made, name, this.decode(of, undefined) ?? null);
    return made;
  }

  #list(of: EncodingJsonType, present: JsonValue | undefined): JsonValue[] {
    const before = Array.isArray(present) ? present : [];
    const made: JsonValue[] = [];
    this.#at++;
    while (this.#peek() !== closingBracket) {
      made.push(this.decode(of, before[made.length]) ?? zeroOf(of) ?? null);
      if (this.#peek() === comma) this.#at++;
    }
    this.#at++;
    return made;
  }

  /** The name of an object's next member, whose value is next then; undefined behind the last one. */
  #nextMember(): string | undefined {
    // Passes the opening brace or the comma.
    if (this.#peek() === closingBrace) return void this.#at++;
    this.#at++;
    if (this.#peek() === closingBrace) return void this.#at++;
    const name = this.#raw();
    this.#peek();
    this.#at++;
    return name.includes('\\') ? (safeParse(name) as string) : name.slice(1, -1);
  }

  /** The code of the first character of the next token. */
  #peek(): number {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
    return this.#text.charCodeAt(this.#at);
  }

  /** The text of the next value, which is passed. */
  #raw(): string {
    this.#peek();
    const start = this.#at;
    this.#at = endOfValue(this.#text, start);
    return this.#text.slice(start, this.#at);
  }
}

/** Behind the value that begins there. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (depth === 0) return at + 1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closingBrace || code === closingBracket) {
      if (depth <= 1) return depth === 0 ? at : at + 1;
      depth--;
      // A scalar ends before what separates values, and at the end of the text.
    } else if (depth === 0 && (code === comma || code <= 0x20 || Number.isNaN(code))) return at;
  }
}

/** The closing quote of the string that begins there. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

interface FieldsByName {
  readonly exact: ReadonlyMap<string, EncodingJsonField>;
  readonly folded: ReadonlyMap<string, EncodingJsonField>;
}

const fieldsByName = new WeakMap<EncodingJsonStruct, FieldsByName>();

/** The field of this very name, or else the first one whose name differs in case. */
function fieldOf(type: EncodingJsonStruct, name: string): EncodingJsonField | undefined {
  let known = fieldsByName.get(type);
  if (known === undefined) {
    const fields = type.fields.toReversed();
    known = {
      exact: new Map(fields.map((field) => [field.name, field])),
      folded: new Map(fields.map((field) => [foldCase(field.name), field])),
    };
    fieldsByName.set(type, known);
  }
  return known.exact.get(name) ?? known.folded.get(foldCase(name));
}

/** Two characters beyond ASCII fold to ASCII letters: U+017F (s) and U+212A (k). */
function foldCase(name: string): string {
  return name.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').toLowerCase();
}
