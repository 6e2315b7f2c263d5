import { Buffer } from 'node:buffer';
import { skipValue, stringEnd } from './json-bytes.ts';
import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-punctuation.ts';
import { skipManagers } from './skip-managers.ts';

/**
 * Which parts of a value to read: all of it, the keys of a map (with empty values), or some fields of an object or of
 * each item of a list.
 */
export type Wanted = 'all' | 'keys' | { readonly [field: string]: Wanted };

interface WantedField {
  /** `"name"` */
  readonly key: Buffer;
  readonly wanted: Wanted | WantedFields;
}

class WantedFields {
  readonly list: readonly WantedField[];

  constructor(fields: Exclude<Wanted, string>) {
    this.list = Object.entries(fields).map(([name, wanted]) => ({
      key: Buffer.from(JSON.stringify(name)),
      wanted: typeof wanted === 'string' ? wanted : new WantedFields(wanted),
    }));
  }

  find(json: Buffer, start: number, end: number): WantedField | undefined {
    const { list } = this;
    for (let i = 0; i < list.length; i++) {
      const field = list[i] as WantedField;
      if (field.key.length === end - start && isSame(json, start, field.key)) return field;
    }
    return undefined;
  }
}

function isSame(json: Buffer, start: number, key: Buffer): boolean {
  for (let at = 1; at < key.length; at++) if (json[start + at] !== key[at]) return false;
  return true;
}

const initialBytes = 16 * 1024;
const shortCopy = 48;
const managersKey = Buffer.from('"managedFields"');
const emptyText = Buffer.from(':""');

let out = Buffer.allocUnsafeSlow(initialBytes);
let outAt = 0;

/** Reads some fields of JSON (as this server prints it) without parsing the rest; returns them as JSON text. */
export class JsonProjection {
  readonly #fields: WantedFields;

  constructor(fields: Exclude<Wanted, string>) {
    this.#fields = new WantedFields(fields);
  }

  textOf(json: Buffer): string {
    outAt = 0;
    try {
      project(json, 0, this.#fields);
      return out.toString('utf8', 0, outAt);
    } finally {
      // A larger buffer is rarely needed, and must not keep its memory for the life of the process.
      if (out.length > initialBytes) out = Buffer.allocUnsafeSlow(initialBytes);
    }
  }
}

/** Copies the wanted parts of the value at `at`; returns where the value ends. */
function project(json: Buffer, at: number, wanted: Wanted | WantedFields): number {
  if (typeof wanted === 'string' && wanted !== 'keys') return copyValue(json, at);
  if (json[at] === openBrace)
    return wanted instanceof WantedFields ? projectObject(json, at, wanted) : projectKeys(json, at);
  return json[at] === openBracket && wanted instanceof WantedFields
    ? projectList(json, at, wanted)
    : copyValue(json, at);
}

function projectObject(json: Buffer, at: number, fields: WantedFields): number {
  put(openBrace);
  let position = at + 1;
  for (let count = 0; json[position] === quote;) {
    const keyEnd = stringEnd(json, position);
    const field = fields.find(json, position, keyEnd);
    if (field === undefined)
      position = isManagers(json, position, keyEnd) ? skipManagers(json, keyEnd + 1) : skipValue(json, keyEnd + 1);
    else {
      if (count++ > 0) put(comma);
      copy(field.key, 0, field.key.length);
      put(colon);
      position = project(json, keyEnd + 1, field.wanted);
    }
    if (json[position] === comma) position++;
  }
  put(closeBrace);
  return position + 1;
}

function isManagers(json: Buffer, start: number, end: number): boolean {
  return end - start === managersKey.length && isSame(json, start, managersKey);
}

function projectList(json: Buffer, at: number, fields: WantedFields): number {
  put(openBracket);
  let position = at + 1;
  while (position < json.length && json[position] !== closeBracket) {
    position = project(json, position, fields);
    if (json[position] !== comma) break;
    put(comma);
    position++;
  }
  put(closeBracket);
  return position + 1;
}

function projectKeys(json: Buffer, at: number): number {
  put(openBrace);
  let position = at + 1;
  for (let count = 0; json[position] === quote; count++) {
    const keyEnd = stringEnd(json, position);
    if (count > 0) put(comma);
    copy(json, position, keyEnd);
    copy(emptyText, 0, emptyText.length);
    position = skipValue(json, keyEnd + 1);
    if (json[position] === comma) position++;
  }
  put(closeBrace);
  return position + 1;
}

function copyValue(json: Buffer, at: number): number {
  const end = skipValue(json, at);
  copy(json, at, end);
  return end;
}

function put(byte: number): void {
  if (outAt === out.length) grow(1);
  out[outAt++] = byte;
}

function copy(source: Buffer, start: number, end: number): void {
  const length = end - start;
  if (outAt + length > out.length) grow(length);
  if (length > shortCopy) source.copy(out, outAt, start, end);
  else for (let i = 0; i < length; i++) out[outAt + i] = source[start + i] as number;
  outAt += length;
}

function grow(need: number): void {
  const grown = Buffer.allocUnsafeSlow(Math.max(outAt + need, out.length * 2));
  out.copy(grown, 0, 0, outAt);
  out = grown;
}
