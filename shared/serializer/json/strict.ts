import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
import type { Field, Schema, StructSchema } from '../../apimachinery/schema.ts';
import { sliceIsOver, type Steps } from '../../apimachinery/slices.ts';
import { endOfString } from './end-of-string.ts';
import { FieldReports } from './field-reports.ts';

const plainToken = /[^\s,\]}]+/y;
const space = /[ \t\n\r]*/y;

export interface StrictParsed {
  /** The document as Go's decoder sees it: a struct, map or list that comes again is decoded into the first. */
  readonly value: JsonValue;
  /** Unknown and duplicate fields in document order, as sigs.k8s.io/json reports them for a type. */
  readonly strictErrors: string[];
  /** Values that others took the place of, each alone in its place: Go has looked at their types, too. */
  readonly overwritten: readonly JsonValue[];
}

/** What a key of an object leads to. */
interface Member {
  readonly schema: Schema | undefined;
  /** What stands there already and is decoded into. */
  readonly existing: JsonValue | undefined;
  /** Whether null clears what stands there; for what is no pointer Go passes over it. */
  readonly nullClears: boolean;
}

/** Stands for what has no fields of its own (custom resources): keys are looked at everywhere below. */
const anything: Schema = { kind: 'map', values: { kind: 'scalar', type: 'json' } };

/** Of those that are looked at. */
const maxOverwritten = 100;

const replaced: Member = { schema: undefined, existing: undefined, nullClears: true };

/** Reads the text of a valid JSON document beside its schema. Slow and exact: only used when keys stand twice. */
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

  /** Reports a key and tells what its value is read into. */
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
 * Reads a document in which keys stand twice, as the reference's strict decoder of that type does; `readScalar` reads
 * what is neither object nor list.
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
