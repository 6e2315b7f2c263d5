import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, ScalarSchema, ScalarType, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { FieldEntry, FieldExtra, StructEntry } from './gen-format.ts';

/** Where a struct loads its entry and its group, version and kind from. */
export interface StructSource {
  entry(model: string): StructEntry;
  gvk(model: string): StructSchema['gvk'];
  struct(model: string): StructSchema;
}

/**
 * A built-in struct whose fields are made at their first use: unused references cost nothing, and recursive types
 * (JSONSchemaProps) do not recurse without end.
 */
export class BuiltinStruct implements StructSchema {
  readonly kind = 'struct';
  readonly name: string;
  readonly goName: string;
  readonly #source: StructSource;
  #fields: readonly Field[] | undefined;
  #flat: readonly Field[] | undefined;
  #byName: ReadonlyMap<string, Field> | undefined;

  constructor(model: string, source: StructSource) {
    this.name = model;
    this.goName = model.slice(model.lastIndexOf('.') + 1);
    this.#source = source;
  }

  get fields(): readonly Field[] {
    this.#fields ??= this.#makeFields();
    return this.#fields;
  }

  get flat(): readonly Field[] {
    this.#flat ??= flatten(this.fields);
    return this.#flat;
  }

  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(this.flat.map((field) => [field.name, field]));
    return this.#byName;
  }

  get mapType(): 'atomic' | undefined {
    const entry = this.#source.entry(this.name);
    return 'fields' in entry ? entry.m : undefined;
  }

  get jsonForm(): StructSchema['jsonForm'] {
    const entry = this.#source.entry(this.name);
    return 'fields' in entry ? entry.j : undefined;
  }

  get unions(): JsonValue | undefined {
    const entry = this.#source.entry(this.name);
    return 'fields' in entry ? entry.u : undefined;
  }

  get gvk(): StructSchema['gvk'] {
    return this.#source.gvk(this.name);
  }

  #makeFields(): readonly Field[] {
    const entry = this.#source.entry(this.name);
    const fields = 'fields' in entry ? entry.fields : entry;
    const ownPackage = this.name.slice(0, this.name.lastIndexOf('.') + 1);
    return fields.map((field) => makeField(field, ownPackage, this.#source));
  }
}

/** Inline structs give their fields to the parent at their place, as encoding/json does. */
function flatten(fields: readonly Field[]): readonly Field[] {
  if (!fields.some((field) => field.inline)) return fields;
  return fields.flatMap((field) => (field.inline && field.schema.kind === 'struct' ? field.schema.flat : [field]));
}

function makeField(entry: FieldEntry, ownPackage: string, source: StructSource): Field {
  const [name, number, type, flags, extra] = entry;
  return {
    name,
    goName: extra?.g ?? (name === '' ? type.slice(Math.max(1, type.lastIndexOf('.') + 1)) : capital(name)),
    number,
    schema: makeSchema(type, ownPackage, source, extra?.f, extra?.t),
    inline: flags.includes('i'),
    pointer: flags.includes('p'),
    omitEmpty: flags.includes('e'),
    omitZero: flags.includes('z'),
    required: flags.includes('r'),
    ...(flags.includes('d') && { oddZeroDefault: true }),
    ...(extra !== undefined && makeExtra(extra)),
  };
}

function makeExtra(extra: FieldExtra): Partial<Field> {
  return {
    ...(extra.d !== undefined && { default: extra.d }),
    ...(extra.en !== undefined && { enum: extra.en }),
    ...(extra.ei !== undefined && { itemEnum: extra.ei }),
    ...(extra.ps !== undefined && { patchStrategy: extra.ps.split(',') }),
    ...(extra.mk !== undefined && { patchMergeKey: extra.mk }),
    ...(extra.lt !== undefined && { listType: extra.lt }),
    ...(extra.lk !== undefined && { listMapKeys: extra.lk }),
    ...(extra.mt !== undefined && { mapType: extra.mt }),
  };
}

const scalars = new Map<string, ScalarSchema>();

function makeSchema(
  type: string,
  ownPackage: string,
  source: StructSource,
  format: string | undefined,
  goType?: string,
): Schema {
  if (type.startsWith('#')) return source.struct(type.includes('.') ? type.slice(1) : ownPackage + type.slice(1));
  const named = goType === undefined ? undefined : { goType };
  // The type of the items for `[]v1.KeyUsage` and `map[string]v1.ExtraValue`; a name such as `v1.ResourceList` does not
  // contain it.
  const itemType = /^(?:\[\]|map\[[^\]]*\])(.+)$/.exec(goType ?? '')?.[1];
  if (type.startsWith('[]'))
    return { kind: 'list', items: makeSchema(type.slice(2), ownPackage, source, format, itemType), ...named };
  if (type.startsWith('[*]')) {
    return { kind: 'list', items: makeSchema(type.slice(3), ownPackage, source, format), itemPointer: true };
  }
  if (type.startsWith('[w]')) {
    return { kind: 'list', items: makeSchema(type.slice(3), ownPackage, source, format), wrapped: true, ...named };
  }
  if (type.startsWith('{}'))
    return { kind: 'map', values: makeSchema(type.slice(2), ownPackage, source, format, itemType), ...named };
  const key = `${type} ${format ?? ''} ${goType ?? ''}`;
  let scalar = scalars.get(key);
  if (scalar === undefined) {
    scalar = { kind: 'scalar', type: type as ScalarType, ...(format !== undefined && { format }), ...named };
    scalars.set(key, scalar);
  }
  return scalar;
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
