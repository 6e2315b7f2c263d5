import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { noteRespelled } from '#shared/apimachinery/managed-fields/written-lists.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type {
  CustomShape,
  Field,
  ListSchema,
  MapSchema,
  Schema,
  StructSchema,
} from '#shared/apimachinery/schema/schema.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { conformScalar } from './conform-scalar.ts';
import { DecodeWalk, goValueName, JsonTypeError } from './decode-walk.ts';
import { goTypeOfSchema } from './go-types.ts';
import { listItems, schemaForm, type SchemaForm } from './schema-forms.ts';
import { zeroValue } from './zero.ts';

export interface ConformOptions {
  /** Whether unknown fields are collected as strict errors. They are dropped in any case. */
  readonly strict: boolean;
  /** Whether the paths of strict errors include map keys. Default true. */
  readonly namesMapKeys?: boolean;
  /** Whether the value comes from `parseSpelled`; custom shapes do not accept such values. Default false. */
  readonly spelled?: boolean;
}

export interface Conformed {
  readonly object: KubeObject;
  /** `unknown field "spec.foo"`, in document order, at most 100. */
  readonly strictErrors: string[];
}

export interface KnownField {
  /** The struct that is decoded; its embedded structs contribute their fields. */
  readonly struct: StructSchema;
  readonly field: Field;
  /** The Go names of the embedded structs that lead to the field, then its JSON name: as Go's type errors print it. */
  readonly goPath: string;
}

/** The parts of a struct schema that decoding uses, cached because the schema's own getters may be costly. */
interface KnownStruct {
  readonly form: SchemaForm | undefined;
  readonly fields: ReadonlyMap<string, KnownField>;
}

const structs = new WeakMap<StructSchema, KnownStruct>();

export function knownStruct(schema: StructSchema): KnownStruct {
  let known = structs.get(schema);
  if (known === undefined) {
    const made = new Map<string, KnownField>();
    collect(schema, schema, '', made);
    // Go's encoding rules decide which of two fields with one name counts; `flat` has applied them.
    const fields = new Map(
      schema.flat.map((field) => [field.name, made.get(field.name) ?? { struct: schema, field, goPath: field.name }]),
    );
    known = { form: schemaForm(schema), fields };
    structs.set(schema, known);
  }
  return known;
}

function collect(struct: StructSchema, schema: StructSchema, prefix: string, into: Map<string, KnownField>): void {
  for (const field of schema.fields) {
    if (field.inline) collect(struct, field.schema as StructSchema, `${prefix}${field.goName}.`, into);
    else if (!into.has(field.name) || prefix === '')
      into.set(field.name, { struct, field, goPath: prefix + field.name });
  }
}

/** Conforms a present, non-null value; undefined where the value is dropped. */
export function conformValue(schema: Schema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  switch (schema.kind) {
    case 'scalar':
      return conformScalar(schema, value, walk);
    case 'struct':
      return conformStruct(schema, value, walk);
    case 'map':
      return conformMap(schema, value, walk);
    case 'list':
      return conformList(schema, value, walk);
  }
}

const formErrors: Record<SchemaForm, string> = {
  orArray: 'array or JSON schema expected',
  orBool: 'boolean or JSON schema expected',
  orStringArray: 'array or JSON schema expected',
};

/** Conforms a type with a decoder of its own, which is never strict. */
function conformForm(
  schema: StructSchema,
  form: SchemaForm,
  value: JsonValue,
  spelled: boolean,
): JsonValue | undefined {
  const walk = new DecodeWalk(false, true, spelled);
  let out: JsonValue | undefined;
  if (isObject(value)) out = conformStruct(innerSchema(schema), value, walk);
  else if (form === 'orBool' && typeof value === 'boolean') out = value;
  else if (form !== 'orBool' && Array.isArray(value))
    out = conformList({ kind: 'list', items: listItems(schema, form) }, value, walk);
  else if (form !== 'orArray') throw new JsonTypeError(formErrors[form]);
  if (walk.typeError !== undefined) throw walk.typeError;
  return out;
}

function conformStruct(schema: StructSchema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  const { form, fields } = knownStruct(schema);
  if (form !== undefined) return conformForm(schema, form, value, walk.spelled);
  if (!isObject(value)) {
    walk.mismatch(goValueName(value), goTypeOfSchema(schema));
    return undefined;
  }
  for (const key of Object.keys(value)) conformMember(fields.get(key), value, key, value[key] as JsonValue, walk);
  return value;
}

/** Conforms one member of a struct, in place. */
export function conformMember(
  known: KnownField | undefined,
  value: JsonObject,
  key: string,
  member: JsonValue,
  walk: DecodeWalk,
): void {
  if (known === undefined) {
    walk.unknownField(key);
    delete value[key];
  } else if (member === null) delete value[key];
  else {
    walk.enterField(known.struct, known.goPath, key);
    const { isCopied } = walk;
    if (known.field.pointer) walk.isCopied = false;
    put(value, key, member, conformValue(known.field.schema, member, walk));
    walk.isCopied = isCopied;
    walk.leaveField();
  }
}

/** Replaces a member by its conformed value; undefined deletes the member. */
export function put(value: JsonObject, key: string, member: JsonValue, next: JsonValue | undefined): void {
  if (next === undefined) delete value[key];
  else if (next !== member) setKey(value, key, next);
}

function conformMap(schema: MapSchema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  if (!isObject(value)) {
    walk.mismatch(goValueName(value), goTypeOfSchema(schema));
    return undefined;
  }
  const { isCopied } = walk;
  walk.isCopied = true;
  for (const key of Object.keys(value)) conformEntry(schema, value, key, value[key] as JsonValue, walk);
  walk.isCopied = isCopied;
  return value;
}

/** Conforms one entry of a map, in place. */
export function conformEntry(
  schema: MapSchema,
  value: JsonObject,
  key: string,
  member: JsonValue,
  walk: DecodeWalk,
): void {
  if (member === null) setKey(value, key, zeroValue(schema.values));
  else {
    walk.enter(key);
    const next = conformValue(schema.values, member, walk);
    walk.leave();
    if (next !== member) setKey(value, key, next ?? zeroValue(schema.values));
  }
}

function conformList(schema: ListSchema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  if (!Array.isArray(value)) {
    walk.mismatch(goValueName(value), goTypeOfSchema(schema));
    return undefined;
  }
  const { respelledAmounts, isCopied } = walk;
  walk.isCopied = false;
  for (let i = 0; i < value.length; i++) conformItem(schema, value, i, walk);
  walk.isCopied = isCopied;
  if (walk.respelledAmounts > respelledAmounts) noteRespelled(value);
  return value;
}

/** Conforms one item of a list, in place. */
export function conformItem(schema: ListSchema, value: JsonValue[], index: number, walk: DecodeWalk): void {
  const item = value[index] as JsonValue;
  if (item === null) {
    if (schema.itemPointer !== true) value[index] = zeroValue(schema.items);
    return;
  }
  walk.enter(index);
  const next = conformValue(schema.items, item, walk);
  walk.leave();
  if (next !== item) value[index] = next ?? zeroValue(schema.items);
}

/**
 * Gives raw JSON the shape of its type: unknown fields and nulls are removed, scalars become canonical (times,
 * quantities, durations, base64). Modifies the value.
 * @throws JsonTypeError in the words of Go's decoder (sigs.k8s.io/json), or the error of a scalar's own decoder
 */
export function conform(schema: StructSchema, value: JsonValue, options: ConformOptions): Conformed {
  if (schema.custom !== undefined) return atOnce(conformCustom(schema, schema.custom, value, options));
  const walk = new DecodeWalk(options.strict, options.namesMapKeys, options.spelled);
  // A top-level null leaves Go's object empty.
  const object = value === null ? {} : conformStruct(schema, value, walk);
  if (walk.typeError !== undefined) throw walk.typeError;
  return { object: object as JsonObject as unknown as KubeObject, strictErrors: walk.strictErrors };
}

/** As {@link conform}, for custom resources. */
export function* conformCustom(
  schema: StructSchema,
  shape: CustomShape,
  value: JsonValue,
  { strict }: ConformOptions,
): Steps<Conformed> {
  if (!isObject(value))
    throw new JsonTypeError(
      `json: cannot unmarshal ${goValueName(value)} into Go value of type ${goTypeOfSchema(schema)}`,
    );
  const strictErrors = yield* shape.conform(value);
  return { object: value as KubeObject, strictErrors: strict ? strictErrors : [] };
}
