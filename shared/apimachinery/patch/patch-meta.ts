import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { PatchError } from './patch-error.ts';

/** The type of the patched value. */
export interface PatchedType {
  readonly schema: Schema;
  /** Whether the value is a pointer in Go, which error texts show. */
  readonly pointer: boolean;
}

/** How a field is patched, and the type below it. */
export interface PatchMeta extends PatchedType {
  /** `merge`, `replace` or empty (`retainKeys` is dropped: the `$retainKeys` directive is enough). */
  readonly strategy: string;
  /** Empty where there is none. */
  readonly mergeKey: string;
}

/** Looks up a field as encoding/json would: the exact name, else one that differs in case only. */
function findField(schema: Schema, name: string): Field {
  if (schema.kind !== 'struct') {
    // These scalars are structs in Go, without JSON fields.
    const goName = schema.kind === 'scalar' ? OPAQUE_STRUCTS[schema.type] : undefined;
    if (goName !== undefined) throw unknownField(goName, name);
    throw new PatchError(
      'internal',
      `merging an object in json but data type is not struct, instead is: ${goKind(schema)}`,
    );
  }
  const field = schema.byName.get(name) ?? foldedField(schema, name);
  if (field === undefined) throw unknownField(schema.goName, name);
  return field;
}

const OPAQUE_STRUCTS: Readonly<Record<string, string>> = {
  rawExtension: 'RawExtension',
  fieldsV1: 'FieldsV1',
  json: 'JSON',
  time: 'Time',
  microTime: 'MicroTime',
  duration: 'Duration',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
};

function unknownField(goName: string, name: string): PatchError {
  return new PatchError('internal', `unable to find api field in struct ${goName} for the json field ${goQuote(name)}`);
}

function foldedField(schema: StructSchema, name: string): Field | undefined {
  const folded = name.toLowerCase();
  return schema.flat.find((field) => field.name.toLowerCase() === folded);
}

function goKind(schema: Schema): string {
  if (schema.kind === 'list') return 'slice';
  if (schema.kind === 'map') return 'map';
  if (schema.kind === 'struct') return 'struct';
  if (schema.type === 'bytes') return 'slice';
  if (schema.type === 'float') return 'float32';
  return schema.type === 'double' ? 'float64' : schema.type;
}

/** Patch rules of a member that is an object. @throws PatchError */
export function lookUpObject(parent: PatchedType, name: string): PatchMeta {
  const field = findField(parent.schema, name);
  return metaOf(field, field.schema);
}

/** Patch rules of a member that is a list; `schema` is that of its items. @throws PatchError */
export function lookUpList(parent: PatchedType, name: string): PatchMeta {
  const field = findField(parent.schema, name);
  if (field.schema.kind === 'list') {
    if (field.schema.items.kind === 'list') throw new PatchError('internal', 'unexpected slice of slice');
    return metaOf(field, field.schema.items);
  }
  if (field.pointer) return metaOf(field, field.schema);
  throw new PatchError(
    'internal',
    `expected slice or array type, but got: ${parent.pointer ? 'ptr' : goKind(parent.schema)}`,
  );
}

function metaOf(field: Field, schema: Schema): PatchMeta {
  const strategy = (field.patchStrategy ?? []).find((item) => item !== 'retainKeys') ?? '';
  return {
    schema,
    pointer: schema === field.schema && field.pointer,
    strategy,
    mergeKey: field.patchMergeKey ?? '',
  };
}

/** Go's name of the kind of a list's items. */
export function itemKindName(schema: Schema): string {
  return goKind(schema);
}
