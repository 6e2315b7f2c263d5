import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, ScalarType, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';

type Step = string | number;

/** A list or map of an object's type that a client may make long. */
export interface Collection {
  /** `spec.containers[0].ports`, less the first dot. */
  readonly name: string;
  /** The object with so many bytes of items, as JSON. */
  readonly text: (bytes: number) => string;
}

/** What makes items differ: nothing, what names them in their list, or each text and number of theirs. */
type Variation = 'equal' | 'keys' | 'all';

/** Types that hold themselves are followed to here: schemas in definitions. */
const deepest = 9;
/** Members that the valid object lacks are made to this depth. */
const deepestAbsent = 2;

/** Every list and map that an object may have, each with equal items, with other keys and with other members. */
export function* longCollections(schema: StructSchema, object: JsonObject): Generator<Collection> {
  for (const { path, field, present } of collectionsOf(schema, object, [], 0)) {
    const variations: readonly Variation[] =
      field.schema.kind === 'map' ? ['keys'] : isStruct(field.schema) ? ['equal', 'keys', 'all'] : ['equal', 'keys'];
    for (const variation of variations) {
      yield {
        name: `${nameOf(path)}, ${variation}`,
        text: (bytes) => textWith(object, path, collectionText(field, present, variation, bytes)),
      };
    }
  }
}

interface Found {
  readonly path: readonly Step[];
  readonly field: Field;
  readonly present: JsonValue | undefined;
}

function* collectionsOf(
  schema: StructSchema,
  object: JsonObject,
  path: readonly Step[],
  absent: number,
): Generator<Found> {
  if (path.length > deepest) return;
  for (const field of schema.flat) {
    const below = [...path, field.name];
    const present = getKey(object, field.name) ?? undefined;
    if (field.schema.kind === 'list' || field.schema.kind === 'map') yield { path: below, field, present };
    if (present === undefined && absent === deepestAbsent) continue;
    const [held, at] = firstHeld(field.schema, present);
    if (held === undefined) continue;
    const inner = isObject(at) ? at : {};
    yield* collectionsOf(held, inner, [...below, ...stepInto(field.schema, present)], absent + (isObject(at) ? 0 : 1));
  }
}

/** The struct that a member is, or that its items are, and the first of them that is there. */
function firstHeld(
  schema: Schema,
  present: JsonValue | undefined,
): readonly [StructSchema | undefined, JsonValue | undefined] {
  if (schema.kind === 'struct') return [schema, present];
  if (schema.kind === 'list' && schema.items.kind === 'struct')
    return [schema.items, Array.isArray(present) ? present[0] : undefined];
  if (schema.kind === 'map' && schema.values.kind === 'struct')
    return [schema.values, isObject(present) ? Object.values(present)[0] : undefined];
  return [undefined, undefined];
}

function stepInto(schema: Schema, present: JsonValue | undefined): Step[] {
  if (schema.kind === 'list') return [0];
  if (schema.kind === 'map') return [isObject(present) ? (Object.keys(present)[0] ?? 'a') : 'a'];
  return [];
}

function isStruct(schema: Schema): boolean {
  return schema.kind === 'list' && schema.items.kind === 'struct';
}

function nameOf(path: readonly Step[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

function collectionText(field: Field, present: JsonValue | undefined, variation: Variation, bytes: number): string {
  const parts: string[] = [];
  const { schema } = field;
  const isMap = schema.kind === 'map';
  const inner = schema.kind === 'list' ? schema.items : schema.kind === 'map' ? schema.values : schema;
  const first = isMap
    ? isObject(present)
      ? Object.values(present)[0]
      : undefined
    : Array.isArray(present)
      ? present[0]
      : undefined;
  const item = first ?? made(inner, 2) ?? null;
  const keys = new Set(field.listMapKeys ?? (field.patchMergeKey === undefined ? [] : [field.patchMergeKey]));
  for (let size = 0, index = 0; size < bytes; index++) {
    const text = isMap
      ? `"k${index}":${JSON.stringify(item)}`
      : JSON.stringify(varied(item, variation === 'equal' ? 0 : index, variation === 'all' ? undefined : keys));
    parts.push(text);
    size += text.length + 1;
  }
  return isMap ? `{${parts.join()}}` : `[${parts.join()}]`;
}

/** The `index`th of its kind: members that `keys` names differ, the first text or number if it names none there. */
function varied(item: JsonValue, index: number, keys: ReadonlySet<string> | undefined): JsonValue {
  if (index === 0) return item;
  if (!isObject(item)) return Array.isArray(item) ? item.map((part) => varied(part, index, keys)) : other(item, index);
  const names = Object.keys(item);
  const chosen =
    keys === undefined
      ? names
      : names.some((name) => keys.has(name))
        ? names.filter((name) => keys.has(name))
        : names.slice(0, 1);
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, chosen.includes(name) ? varied(value, index, keys) : value]),
  );
}

function other(value: JsonValue, index: number): JsonValue {
  if (typeof value === 'number') return value + index;
  if (typeof value !== 'string') return value;
  return /^\d+\.\d+\.\d+\.\d+$/.test(value)
    ? `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
    : `${value}${index}`;
}

/** A value of a type, with its members to a depth. */
function made(schema: Schema, depth: number): JsonValue | undefined {
  switch (schema.kind) {
    case 'scalar':
      return scalars[schema.type];
    case 'list':
    case 'map':
      return undefined;
    case 'struct':
      return depth === 0
        ? undefined
        : Object.fromEntries(
            schema.flat.flatMap(({ name, schema: member, enum: allowed }) => {
              const value = allowed?.[0] ?? made(member, depth - 1);
              return value === undefined ? [] : [[name, value] as const];
            }),
          );
  }
}

/** Of the types that are made; items have no times, durations and bytes. */
const scalars: Readonly<Partial<Record<ScalarType, JsonValue>>> = {
  string: 'a',
  bool: true,
  quantity: '1',
  intOrString: 1,
  json: { a: 1 },
  int32: 1,
  int64: 1,
  uint32: 1,
  uint64: 1,
  float: 1,
  double: 1,
};

/** JSON of the object with a text in the place of a member; what the path lacks is made. */
function textWith(object: JsonObject, path: readonly Step[], text: string): string {
  const placeholder = 'to-be-replaced-by-the-collection';
  return JSON.stringify(withMember(object, path, placeholder)).replace(`"${placeholder}"`, () => text);
}

function withMember(value: JsonValue | undefined, [step, ...rest]: readonly Step[], last: string): JsonValue {
  if (step === undefined) return last;
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    items[step] = withMember(items[step], rest, last);
    return items;
  }
  const members = isObject(value) ? value : {};
  return { ...members, [step]: withMember(getKey(members, step), rest, last) };
}
