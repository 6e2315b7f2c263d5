import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { recordRespelled } from '#shared/apimachinery/managed-fields/written-lists.ts';
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
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { conformScalar } from './conform-scalar.ts';
import { DecodeWalk, goValueName, JsonTypeError, type ConformOptions } from './decode-walk.ts';
import { goTypeOfSchema } from './go-types.ts';
import { listItems, schemaForm, type SchemaForm } from './schema-forms.ts';
import { zeroValue } from './zero.ts';

export interface Conformed {
  readonly object: KubeObject;
  /** `unknown field "spec.foo"`, in document order, at most 100. */
  readonly strictErrors: string[];
}

interface KnownField {
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

function knownStruct(schema: StructSchema): KnownStruct {
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

const formErrors: Record<SchemaForm, string> = {
  orArray: 'array or JSON schema expected',
  orBool: 'boolean or JSON schema expected',
  orStringArray: 'array or JSON schema expected',
};

/**
 * The steps that conform what is below a value, and return the value, undefined where it is dropped. No steps for
 * values that hold no others, which {@link conformLeaf} conforms.
 */
function stepsBelow(schema: Schema, value: JsonValue, walk: DecodeWalk): Steps<JsonValue | undefined> | undefined {
  if (typeof value !== 'object') return undefined;
  switch (schema.kind) {
    case 'scalar':
      return undefined;
    case 'struct': {
      const { form, fields } = knownStruct(schema);
      if (form !== undefined) return conformForm(schema, form, value, walk.spelled);
      return isObject(value) ? conformStruct(fields, value, walk) : undefined;
    }
    case 'map':
      return isObject(value) ? conformMap(schema, value, walk) : undefined;
    case 'list':
      return Array.isArray(value) ? conformList(schema, value, walk) : undefined;
  }
}

/** Conforms a present, non-null value that holds no others; undefined where the value is dropped. */
function conformLeaf(schema: Schema, value: JsonValue, walk: DecodeWalk): JsonValue | undefined {
  if (schema.kind === 'scalar') return conformScalar(schema, value, walk);
  const form = schema.kind === 'struct' ? knownStruct(schema).form : undefined;
  if (form === undefined) walk.mismatch(goValueName(value), goTypeOfSchema(schema));
  else if (form === 'orBool' && typeof value === 'boolean') return value;
  else if (form !== 'orArray') throw new JsonTypeError(formErrors[form]);
  return undefined;
}

/** Conforms an object or list of a type with a decoder of its own, which is never strict. */
function* conformForm(
  schema: StructSchema,
  form: SchemaForm,
  value: JsonValue,
  spelled: boolean,
): Steps<JsonValue | undefined> {
  const walk = new DecodeWalk({ strict: false, spelled });
  let out: JsonValue | undefined;
  if (isObject(value)) out = yield* conformStruct(knownStruct(innerSchema(schema)).fields, value, walk);
  else if (form !== 'orBool' && Array.isArray(value))
    out = yield* conformList({ kind: 'list', items: listItems(schema, form) }, value, walk);
  else if (form !== 'orArray') throw new JsonTypeError(formErrors[form]);
  if (walk.typeError !== undefined) throw walk.typeError;
  return out;
}

function* conformStruct(
  fields: ReadonlyMap<string, KnownField>,
  value: JsonObject,
  walk: DecodeWalk,
): Steps<JsonValue> {
  for (const key of Object.keys(value)) {
    if (sliceIsOver()) yield;
    const member = value[key] as JsonValue;
    const known = fields.get(key);
    if (known === undefined) {
      walk.unknownField(key);
      delete value[key];
    } else if (member === null) delete value[key];
    else {
      const { schema, pointer } = known.field;
      walk.enterField(known.struct, known.goPath, key);
      const { isCopied } = walk;
      if (pointer) walk.isCopied = false;
      const below = stepsBelow(schema, member, walk);
      const next = below === undefined ? conformLeaf(schema, member, walk) : yield* below;
      if (next === undefined) delete value[key];
      else if (next !== member) setKey(value, key, next);
      walk.isCopied = isCopied;
      walk.leaveField();
    }
  }
  return value;
}

function* conformMap({ values }: MapSchema, value: JsonObject, walk: DecodeWalk): Steps<JsonValue> {
  const { isCopied } = walk;
  walk.isCopied = true;
  for (const key of Object.keys(value)) {
    if (sliceIsOver()) yield;
    const member = value[key] as JsonValue;
    if (member === null) setKey(value, key, zeroValue(values));
    else {
      walk.enter(key);
      const below = stepsBelow(values, member, walk);
      const next = below === undefined ? conformLeaf(values, member, walk) : yield* below;
      walk.leave();
      if (next !== member) setKey(value, key, next ?? zeroValue(values));
    }
  }
  walk.isCopied = isCopied;
  return value;
}

function* conformList({ items, itemPointer }: ListSchema, value: JsonValue[], walk: DecodeWalk): Steps<JsonValue> {
  const { respelledAmounts, isCopied } = walk;
  walk.isCopied = false;
  for (let i = 0; i < value.length; i++) {
    if (sliceIsOver()) yield;
    const item = value[i] as JsonValue;
    if (item === null) {
      if (itemPointer !== true) value[i] = zeroValue(items);
      continue;
    }
    walk.enter(i);
    const below = stepsBelow(items, item, walk);
    const next = below === undefined ? conformLeaf(items, item, walk) : yield* below;
    walk.leave();
    if (next !== item) value[i] = next ?? zeroValue(items);
  }
  walk.isCopied = isCopied;
  if (walk.respelledAmounts > respelledAmounts) recordRespelled(value);
  return value;
}

/**
 * Gives raw JSON the shape of its type: unknown fields and nulls are removed, scalars become canonical (times,
 * quantities, durations, base64). Modifies the value.
 * @throws JsonTypeError in the words of Go's decoder (sigs.k8s.io/json), or the error of a scalar's own decoder
 */
export function* conform(schema: StructSchema, value: JsonValue, options: ConformOptions): Steps<Conformed> {
  if (schema.custom !== undefined) return yield* conformCustom(schema, schema.custom, value, options);
  const walk = new DecodeWalk(options);
  // A top-level null leaves Go's object empty.
  const present = value ?? {};
  const below = stepsBelow(schema, present, walk);
  const object = below === undefined ? conformLeaf(schema, present, walk) : yield* below;
  if (walk.typeError !== undefined) throw walk.typeError;
  return { object: object as KubeObject, strictErrors: walk.strictErrors };
}

/** As {@link conform}, for custom resources. */
function* conformCustom(
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
