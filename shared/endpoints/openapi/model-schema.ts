import type { Facts } from '#shared/api/facts.ts';
import { patchModel, scalarModels } from '#shared/api/scalar-models.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, ScalarType, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';

/**
 * The version of the document: v2 keeps models under `definitions` and shows no defaults; v3 wraps a `$ref` that has
 * siblings.
 */
export type Dialect = 'v2' | 'v3';

/** Descriptions for `kubectl explain`; an empty field name gives the description of the model itself. */
export type Describe = (model: string, field: string) => string | undefined;

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const plainModels: Readonly<Record<string, Readonly<Record<Dialect, JsonObject>>>> = {
  [`${meta}.Time`]: both({ type: 'string', format: 'date-time' }),
  [`${meta}.MicroTime`]: both({ type: 'string', format: 'date-time' }),
  [`${meta}.Duration`]: both({ type: 'string' }),
  [`${meta}.FieldsV1`]: both({ type: 'object' }),
  [patchModel]: both({ type: 'object' }),
  'io.k8s.apimachinery.pkg.runtime.RawExtension': both({ type: 'object' }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': both({}),
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    v2: { type: 'string' },
    v3: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    v2: { type: 'string', format: 'int-or-string' },
    v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
};

function both(schema: JsonObject): Record<Dialect, JsonObject> {
  return { v2: schema, v3: schema };
}

/** The `$ref` of a model. */
export function refTo(model: string, dialect: Dialect): string {
  return `#/${dialect === 'v2' ? 'definitions' : 'components/schemas'}/${model}`;
}

export interface ModelOptions {
  readonly facts: Facts;
  readonly dialect: Dialect;
  readonly describe: Describe;
  /** The values of `x-kubernetes-group-version-kind` of a model. */
  readonly gvks: (struct: StructSchema) => readonly JsonObject[];
}

/**
 * The schema of one model, or undefined if there is none of that name. Calls `refer` with the name of every model that
 * the schema refers to.
 */
export function modelSchema(
  model: string,
  options: ModelOptions,
  refer: (model: string) => void,
): JsonObject | undefined {
  const { dialect, describe } = options;
  const description = describe(model, '');
  const head: JsonObject = description === undefined ? {} : { description };
  const plain = getKey(plainModels, model);
  if (plain !== undefined) return { ...head, ...plain[dialect] };
  const struct = options.facts.model(model);
  if (struct === undefined) return undefined;
  if (struct.jsonForm !== undefined) return head;
  const required = struct.flat.filter((field) => field.required).map((field) => field.name);
  const gvks = options.gvks(struct);
  const properties = struct.flat.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    ...head,
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties.map((field) => [field.name, property(model, field, options, refer)])),
    }),
    ...(gvks.length > 0 && { 'x-kubernetes-group-version-kind': [...gvks] }),
    ...(struct.mapType !== undefined && { 'x-kubernetes-map-type': struct.mapType }),
    ...(struct.unions !== undefined && { 'x-kubernetes-unions': struct.unions }),
  };
}

function property(
  model: string,
  field: Field,
  { dialect, describe }: ModelOptions,
  refer: (model: string) => void,
): JsonObject {
  const form = schemaForm(field.schema, dialect, refer, field.itemEnum);
  const description = describe(model, field.name);
  const fallback = dialect === 'v3' ? (field.default ?? zeroDefault(field)) : undefined;
  const body: JsonObject = {
    ...(description !== undefined && { description }),
    ...form,
    ...(fallback !== undefined && { default: fallback }),
    ...(field.enum !== undefined && { enum: [...field.enum] }),
    ...(field.listMapKeys !== undefined && { 'x-kubernetes-list-map-keys': [...field.listMapKeys] }),
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapType !== undefined && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy.join(',') }),
  };
  return dialect === 'v3' ? wrapRef(body) : body;
}

/** Wraps a `$ref` that has siblings in `allOf`: OpenAPI 3.0 allows no siblings. */
function wrapRef(body: JsonObject): JsonObject {
  const { $ref, ...rest } = body;
  if ($ref === undefined || Object.keys(rest).length === 0) return body;
  return { ...rest, allOf: [{ $ref }] };
}

function schemaForm(
  schema: Schema,
  dialect: Dialect,
  refer: (model: string) => void,
  itemEnum?: readonly string[],
): JsonObject {
  switch (schema.kind) {
    case 'struct':
      refer(schema.name);
      return { $ref: refTo(schema.name, dialect) };
    case 'list':
      return { type: 'array', items: itemForm(schema.items, dialect, refer, schema.itemPointer === true, itemEnum) };
    case 'map':
      return { type: 'object', additionalProperties: itemForm(schema.values, dialect, refer, false, itemEnum) };
    case 'scalar': {
      const model = scalarModels[schema.type];
      if (model === undefined) return scalarForm(schema.type, schema.format);
      refer(model);
      return { $ref: refTo(model, dialect) };
    }
  }
}

function itemForm(
  schema: Schema,
  dialect: Dialect,
  refer: (model: string) => void,
  pointer: boolean,
  itemEnum?: readonly string[],
): JsonObject {
  const form = schemaForm(schema, dialect, refer);
  const zero = dialect === 'v3' && !pointer ? zeroOf(schema) : undefined;
  const body: JsonObject = {
    ...form,
    ...(zero !== undefined && { default: zero }),
    ...(itemEnum !== undefined && { enum: [...itemEnum] }),
  };
  return dialect === 'v3' ? wrapRef(body) : body;
}

/** openapi-gen writes the zero value of a struct by value, and of a scalar that is neither pointer nor omitempty. */
function zeroDefault(field: Field): JsonValue | undefined {
  if (field.pointer) return undefined;
  const struct = field.schema.kind === 'struct';
  const expected = struct || !field.omitEmpty;
  if (expected === (field.oddZeroDefault === true)) return undefined;
  return zeroOf(field.schema);
}

function zeroOf(schema: Schema): JsonValue | undefined {
  if (schema.kind === 'struct') return schema.jsonForm === undefined ? {} : undefined;
  if (schema.kind !== 'scalar' || scalarModels[schema.type] !== undefined) return undefined;
  if (schema.type === 'string') return '';
  if (schema.type === 'bool') return false;
  return schema.type === 'bytes' ? undefined : 0;
}

function scalarForm(type: ScalarType, format: string | undefined): JsonObject {
  switch (type) {
    case 'string':
      return { type: 'string', ...(format !== undefined && { format }) };
    case 'bool':
      return { type: 'boolean' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'float':
    case 'double':
      return { type: 'number', format: format ?? type };
    default:
      return { type: 'integer', format: format ?? type };
  }
}
