import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isGoStruct } from '#shared/apimachinery/schema/go-struct.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import type { Field, ListSchema, MapSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { zeroScalar } from '#shared/apimachinery/schema/zero-scalar.ts';
import { mayHoldZeroTime } from '#shared/apimachinery/schema/zero-time.ts';
import { doneWith, isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { isAtomic } from './list-relation.ts';
import { recordRawForm, recordWrittenForm } from './written-lists.ts';

/**
 * Makes the canonical form of a present value: the same value where it is canonical already, or of another kind than
 * the schema's.
 */
interface Canonical {
  readonly plain: (value: JsonValue) => JsonValue;
  /** Undefined for a struct whose values are all canonical: steps would take longer than its few fields. */
  readonly steps: ((value: JsonValue) => Steps<JsonValue>) | undefined;
}

interface FieldRule {
  /** Whether a present value is left out. */
  readonly omits: ((value: JsonValue) => boolean) | undefined;
  /** Whether the field is printed even when no client set it. */
  readonly always: boolean;
  /** Whether null is a value of the field. */
  readonly takesNull: boolean;
  /** Undefined for fields whose values are always canonical. */
  readonly canonical: Canonical | undefined;
  /** Called with each atomic list, as it is printed and as it was written. */
  readonly note: ((printed: JsonValue, written: JsonValue) => void) | undefined;
}

interface StructRule {
  readonly byName: ReadonlyMap<string, FieldRule>;
  /** Fields that are printed even when no client set them. */
  readonly always: readonly { readonly name: string; readonly zero: () => JsonValue }[];
}

const structRules = new WeakMap<StructSchema, StructRule>();
const canonicals = new WeakMap<Schema, Canonical | 'scalar'>();

/**
 * The object as its Go type prints it: empty `omitempty` fields are absent, other fields are always present (`spec:
 * {}`, `rules: null`). Copies only what differs; new parts belong to the caller.
 */
export function* canonicalObject(schema: StructSchema, object: JsonObject): Steps<JsonObject> {
  const rule = ruleOf(schema);
  if (!isSliced()) return canonicalAtOnce(rule, object);
  let out: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key];
    const field = rule.byName.get(key);
    if (field === undefined) continue;
    if (isLeftOut(field, value)) {
      if (!field.always) delete (out ??= { ...object })[key];
    } else {
      const { canonical, note } = field;
      if (canonical === undefined && note === undefined) continue;
      const made =
        canonical === undefined
          ? value
          : canonical.steps === undefined
            ? canonical.plain(value)
            : yield* canonical.steps(value);
      note?.(made, value);
      if (made !== value) setKey((out ??= { ...object }), key, made);
    }
    if (sliceIsOver()) yield;
  }
  return withAlways(rule, object, out);
}

function canonicalAtOnce(rule: StructRule, object: JsonObject): JsonObject {
  let out: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key];
    const field = rule.byName.get(key);
    if (field === undefined) continue;
    if (isLeftOut(field, value)) {
      if (!field.always) delete (out ??= { ...object })[key];
      continue;
    }
    const { canonical, note } = field;
    const made = canonical === undefined ? value : canonical.plain(value);
    note?.(made, value);
    if (made !== value) setKey((out ??= { ...object }), key, made);
  }
  return withAlways(rule, object, out);
}

/** As {@link canonicalObject}, for a type whose values are all canonical. */
function canonicalFlat(rule: StructRule, object: JsonObject): JsonObject {
  let out: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    const field = rule.byName.get(key);
    if (field !== undefined && !field.always && isLeftOut(field, object[key])) delete (out ??= { ...object })[key];
  }
  return withAlways(rule, object, out);
}

function isLeftOut(field: FieldRule, value: JsonValue | undefined): value is undefined {
  return value === undefined || (value === null ? !field.takesNull : field.omits?.(value) === true);
}

/** @param changed the copy of the object, if there is one */
function withAlways(rule: StructRule, object: JsonObject, changed: JsonObject | undefined): JsonObject {
  let out = changed;
  for (const { name, zero } of rule.always) {
    const value = getKey(object, name);
    if (value !== undefined && value !== null) continue;
    const zeroValue = zero();
    if (zeroValue !== value) setKey((out ??= { ...object }), name, zeroValue);
  }
  return out ?? object;
}

function ruleOf(schema: StructSchema): StructRule {
  let rule = structRules.get(schema);
  if (rule === undefined) structRules.set(schema, (rule = makeRule(schema)));
  return rule;
}

function makeRule(schema: StructSchema): StructRule {
  return {
    byName: new Map(
      schema.flat.map((field) => [
        field.name,
        {
          omits: omitRule(field),
          always: standsAlways(field),
          takesNull: mayHoldZeroTime(field),
          canonical: canonicalOf(field.schema),
          note: noteOf(field),
        },
      ]),
    ),
    always: schema.flat.flatMap((field) =>
      standsAlways(field) ? [{ name: field.name, zero: () => (field.pointer ? null : zeroOf(field.schema)) }] : [],
    ),
  };
}

function noteOf(field: Field): FieldRule['note'] {
  const { schema } = field;
  if (schema.kind !== 'list' || !isAtomic(field)) return undefined;
  const isRaw = holdsRawJson(schema);
  if (canonicalOf(schema) === undefined && !isRaw) return undefined;
  return (printed, written) => {
    recordWrittenForm(printed, schema, written);
    if (isRaw) recordRawForm(printed, schema);
  };
}

function canonicalOf(schema: Schema): Canonical | undefined {
  if (schema.kind === 'scalar') return undefined;
  let known = canonicals.get(schema);
  if (known === undefined) canonicals.set(schema, (known = makeCanonical(schema) ?? 'scalar'));
  return known === 'scalar' ? undefined : known;
}

function makeCanonical(schema: StructSchema | ListSchema | MapSchema): Canonical | undefined {
  if (schema.kind === 'struct') return schema.jsonForm === undefined ? structCanonical(schema) : formCanonical(schema);
  const members = canonicalOf(schema.kind === 'list' ? schema.items : schema.values);
  if (members === undefined) return undefined;
  return schema.kind === 'list'
    ? {
        plain: (value) => (Array.isArray(value) ? listAtOnce(value, members.plain) : value),
        steps: (value) => (Array.isArray(value) ? canonicalList(value, members) : doneWith(value)),
      }
    : {
        plain: (value) => (isObject(value) ? mapAtOnce(value, members.plain) : value),
        steps: (value) => (isObject(value) ? canonicalMap(value, members) : doneWith(value)),
      };
}

function structCanonical(schema: StructSchema): Canonical {
  const isFlat = schema.flat.every((field) => holdsScalars(field.schema) && noteOf(field) === undefined);
  const plain = isFlat ? canonicalFlat : canonicalAtOnce;
  return {
    plain: (value) => (isObject(value) ? plain(ruleOf(schema), value) : value),
    steps: isFlat ? undefined : (value) => (isObject(value) ? canonicalObject(schema, value) : doneWith(value)),
  };
}

function holdsScalars(schema: Schema): boolean {
  const members = schema.kind === 'list' ? schema.items : schema.kind === 'map' ? schema.values : schema;
  return members.kind === 'scalar';
}

/** For a type whose JSON is a JSON Schema or a simpler value (apiextensions). */
function formCanonical(schema: StructSchema): Canonical | undefined {
  const inner = schema.fields.find((field) => field.goName === 'Schema')?.schema;
  if (inner?.kind !== 'struct') return undefined;
  const canonical = structCanonical(inner);
  const { plain, steps } = canonical;
  return {
    plain: (value) => (Array.isArray(value) ? listAtOnce(value, plain) : plain(value)),
    steps: (value) =>
      Array.isArray(value) ? canonicalList(value, canonical) : (steps?.(value) ?? doneWith(plain(value))),
  };
}

function listAtOnce(list: JsonValue[], plain: Canonical['plain']): JsonValue[] {
  let out: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    const made = plain(item);
    if (made !== item) (out ??= list.slice())[i] = made;
  }
  return out ?? list;
}

function mapAtOnce(map: JsonObject, plain: Canonical['plain']): JsonObject {
  let out: JsonObject | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key] as JsonValue;
    const made = plain(value);
    if (made !== value) setKey((out ??= { ...map }), key, made);
  }
  return out ?? map;
}

function* canonicalList(list: JsonValue[], { plain, steps }: Canonical): Steps<JsonValue[]> {
  let out: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    const made = steps === undefined ? plain(item) : yield* steps(item);
    if (made !== item) (out ??= list.slice())[i] = made;
    if (sliceIsOver()) yield;
  }
  return out ?? list;
}

function* canonicalMap(map: JsonObject, { plain, steps }: Canonical): Steps<JsonObject> {
  let out: JsonObject | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key] as JsonValue;
    const made = steps === undefined ? plain(value) : yield* steps(value);
    if (made !== value) setKey((out ??= { ...map }), key, made);
    if (sliceIsOver()) yield;
  }
  return out ?? map;
}

function standsAlways({ schema, pointer, omitEmpty, omitZero }: Field): boolean {
  if (pointer) return !omitEmpty && !omitZero;
  return !omitZero && !(omitEmpty && !isGoStruct(schema));
}

function omitRule({ schema, pointer, omitEmpty, omitZero }: Field): FieldRule['omits'] {
  if (pointer) return undefined;
  if (isGoStruct(schema)) return omitZero ? (value) => isZero(schema, value) : undefined;
  if (!omitEmpty && !omitZero) return undefined;
  if (schema.kind === 'list') return omitEmpty ? (value) => Array.isArray(value) && value.length === 0 : undefined;
  if (schema.kind === 'map')
    return omitEmpty ? (value) => isObject(value) && Object.keys(value).length === 0 : undefined;
  return (value) => value === '' || value === 0 || value === false || value === 0n;
}

/** Go's zero value, as `omitzero` judges it: an empty list or map is not nil, hence not zero. */
function isZero(schema: Schema, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (schema.kind === 'struct') {
    return isObject(value) && schema.flat.every((field) => isZeroField(field, getKey(value, field.name)));
  }
  if (schema.kind !== 'scalar') return false;
  switch (schema.type) {
    case 'quantity':
      return value === '0';
    case 'duration':
      return value === '0s';
    case 'bytes':
      return false;
    default:
      return value === '' || value === 0 || value === 0n || value === false;
  }
}

function isZeroField({ schema, pointer }: Field, value: JsonValue | undefined): boolean {
  return pointer ? value === undefined || value === null : isZero(schema, value);
}

function zeroOf(schema: Schema): JsonValue {
  if (schema.kind === 'struct')
    return schema.jsonForm === undefined
      ? canonicalAtOnce(ruleOf(schema), {})
      : schema.jsonForm === 'orBool'
        ? false
        : null;
  return schema.kind === 'scalar' ? zeroScalar(schema) : null;
}
