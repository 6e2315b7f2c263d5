import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { endOfString } from './end-of-string.ts';
import { FieldReports } from './field-reports.ts';

const plainToken = /[^\s,\]}]+/y;
const space = /[ \t\n\r]*/y;

export interface StrictParsed {
  /** The document as Go's decoder sees it: a second struct, map or list of the same key is decoded into the first. */
  readonly value: JsonValue;
  /** Unknown and duplicate fields in document order, as sigs.k8s.io/json reports them for a type. */
  readonly strictErrors: string[];
  /** Values that later duplicates have replaced, each wrapped in its path: Go checks their types as well. */
  readonly overwritten: readonly JsonValue[];
}

/** The target of a key of an object. */
interface Member {
  readonly schema: Schema | undefined;
  /** The existing value, into which the new value is decoded. */
  readonly existing: JsonValue | undefined;
  /** Whether null clears the existing value; Go ignores a null unless the field is a pointer, list or map. */
  readonly nullClears: boolean;
}

/** Schema of values without known fields (custom resources): duplicate keys are reported at all levels. */
const anything: Schema = { kind: 'map', values: { kind: 'scalar', type: 'json' } };

/** Maximum number of replaced values that are checked. */
const maxOverwritten = 100;

const replaced: Member = { schema: undefined, existing: undefined, nullClears: true };

/** Reads a valid JSON document along its schema. Slow and exact: only used for documents with duplicate keys. */
class StrictReader {
  readonly #text: string;
  readonly #readScalar: (text: string) => JsonValue;
  #at = 0;
  /** Keys and indices from the root. */
  readonly #steps: (string | number)[] = [];
  readonly overwritten: JsonValue[] = [];
  readonly errors = new FieldReports();

  constructor(text: string, readScalar: (text: string) => JsonValue) {
    this.#text = text;
    this.#readScalar = readScalar;
  }

  #token(form: RegExp): string {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text);
    if (match === null) throw new Error('not JSON');
    this.#at = form.lastIndex;
    return match[0];
  }

  #string(): string {
    const start = this.#at;
    this.#at = endOfString(this.#text, start) ?? this.#text.length;
    return this.#text.slice(start, this.#at);
  }

  #next(): string {
    this.#token(space);
    return this.#text[this.#at] ?? '';
  }

  #take(): void {
    this.#at++;
  }

  #report(kind: 'unknown' | 'duplicate', path: string): void {
    if (this.errors.isOpen) this.errors.add(kind, path);
  }

  /** Reads one value into a member; without a schema nothing is reported. */
  *value(member: Member, path: string): Steps<JsonValue> {
    if (sliceIsOver()) yield;
    const first = this.#next();
    const schema = member.schema?.kind === 'struct' && member.schema.jsonForm !== undefined ? undefined : member.schema;
    if (first === '{') return yield* this.#object(schema, isObject(member.existing) ? member.existing : {}, path);
    if (first === '[')
      return yield* this.#list(
        schema === anything ? anything : schema?.kind === 'list' ? schema.items : undefined,
        member.existing,
        path,
      );
    const value = this.#readScalar(first === '"' ? this.#string() : this.#token(plainToken));
    return value === null && !member.nullClears ? (member.existing ?? null) : value;
  }

  *#list(items: Schema | undefined, existing: JsonValue | undefined, path: string): Steps<JsonValue[]> {
    const list: JsonValue[] = [];
    this.#take();
    for (let i = 0; this.#next() !== ']'; i++) {
      this.#steps.push(i);
      const old = items !== undefined && items !== anything && Array.isArray(existing) ? existing[i] : undefined;
      list.push(yield* this.value({ schema: items, existing: old, nullClears: true }, `${path}[${i}]`));
      this.#steps.pop();
      if (this.#next() === ',') this.#take();
    }
    this.#take();
    return list;
  }

  *#object(schema: Schema | undefined, object: JsonObject, path: string): Steps<JsonObject> {
    const seen = new Set<string>();
    this.#take();
    while (this.#next() !== '}') {
      const key = JSON.parse(this.#string()) as string;
      this.#next();
      this.#take();
      const memberPath = path === '' ? key : `${path}.${key}`;
      this.#steps.push(key);
      const before = seen.has(key) ? getKey(object, key) : undefined;
      const member = this.#member(schema, key, object, memberPath, seen);
      if (before !== undefined) this.#overwrite(before, member);
      setKey(object, key, yield* this.value(member, memberPath));
      this.#steps.pop();
      if (this.#next() === ',') this.#take();
    }
    this.#take();
    return object;
  }

  #overwrite(value: JsonValue, { schema, existing }: Member): void {
    const isDecodedInto =
      isObject(value) && existing === value && (schema?.kind === 'struct' || schema?.kind === 'map');
    if (value === null || isDecodedInto || this.overwritten.length === maxOverwritten) return;
    this.overwritten.push(
      this.#steps.reduceRight<JsonValue>(
        (inner, step) => (typeof step === 'number' ? [inner] : keyed(step, inner)),
        value,
      ),
    );
  }

  /** Reports an unknown or duplicate key, and returns the target for its value. */
  #member(schema: Schema | undefined, key: string, object: JsonObject, path: string, seen: Set<string>): Member {
    if (schema?.kind !== 'struct' && schema?.kind !== 'map') return replaced;
    const field = schema.kind === 'struct' ? schema.byName.get(key) : undefined;
    if (schema.kind === 'struct' && field === undefined) this.#report('unknown', path);
    else if (seen.has(key)) this.#report('duplicate', path);
    seen.add(key);
    if (schema.kind === 'map') return { ...replaced, schema: schema === anything ? anything : schema.values };
    return field === undefined ? replaced : fieldMember(field, object);
  }
}

function keyed(key: string, value: JsonValue): JsonObject {
  const object: JsonObject = {};
  setKey(object, key, value);
  return object;
}

function fieldMember(field: Field, object: JsonObject): Member {
  const { schema } = field;
  return {
    schema,
    existing: getKey(object, field.name),
    nullClears: field.pointer || schema.kind === 'list' || schema.kind === 'map',
  };
}

/**
 * Reads a document with duplicate keys as the reference's strict decoder of that type does; `readScalar` reads every
 * value that is neither object nor list.
 */
export function* parseStrict(
  schema: StructSchema,
  text: string,
  readScalar: (text: string) => JsonValue,
): Steps<StrictParsed> {
  const reader = new StrictReader(text, readScalar);
  const value = yield* reader.value({ ...replaced, schema: schema.custom === undefined ? schema : anything }, '');
  return { value, strictErrors: reader.errors.texts, overwritten: reader.overwritten };
}
