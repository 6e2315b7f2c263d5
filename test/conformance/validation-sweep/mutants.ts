import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Field, ScalarSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';

/** An object with one thing wrong, or at least other, than in the valid one. */
export interface Mutant {
  /** `spec.containers[0].image = ""`. */
  readonly name: string;
  readonly object: JsonObject;
}

type Step = string | number;

interface Change {
  readonly path: readonly Step[];
  /** Undefined removes. */
  readonly value: JsonValue | undefined;
}

const texts = ['', 'A_b', 'a.b/c', '-x', 'x'.repeat(260), '10.0.0.300', 'fe80::1', 'ä', '<\u0001>'];
const numbers = [-1, 0, 1, 65_536, 2_147_483_647];

function scalarValues({ type }: ScalarSchema, all: boolean): JsonValue[] {
  switch (type) {
    case 'string':
      return all ? texts : ['A_b', ''];
    case 'bool':
      return [true, false];
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'float':
    case 'double':
      return all ? numbers : [-1, 1];
    case 'quantity':
      return all ? ['-1', '0', '1500m', '1.5Gi'] : ['-1', '1'];
    case 'intOrString':
      return all ? [-1, 0, 70_000, '101%', 'A_b', ''] : [-1, '150%'];
    case 'time':
    case 'microTime':
      return ['2001-02-03T04:05:06.000000Z'];
    case 'duration':
      return ['-1s', '0s', '1h'];
    case 'bytes':
      return ['', 'eA=='];
    case 'rawExtension':
    case 'json':
      return [{ a: 1 }];
    case 'fieldsV1':
      return [];
  }
}

/** A value with all scalars of a level wrong, so that what is required below is there and judged. */
function filled(schema: Schema, depth: number): JsonValue | undefined {
  switch (schema.kind) {
    case 'scalar':
      return scalarValues(schema, false)[0];
    case 'list': {
      const item = filled(schema.items, depth);
      return item === undefined ? undefined : [item];
    }
    case 'map': {
      const value = filled(schema.values, depth);
      return value === undefined ? undefined : { 'A b': value };
    }
    case 'struct': {
      if (depth === 0) return {};
      return Object.fromEntries(
        schema.flat.flatMap(({ name, schema: member }) => {
          const value = filled(member, depth - 1);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
    }
  }
}

/** What an absent member may become. */
function additions(schema: Schema): JsonValue[] {
  switch (schema.kind) {
    case 'scalar':
      return scalarValues(schema, false);
    case 'list':
      return [
        [],
        ...itemsOf(schema.items).map((item) => [item]),
        ...itemsOf(schema.items)
          .slice(0, 1)
          .map((item) => [item, item]),
      ];
    case 'map':
      return [{}, ...itemsOf(schema.values).map((value) => ({ a: value, 'A b': value }))];
    case 'struct':
      return [{}, ...[1, 2].map((depth) => filled(schema, depth) ?? {})];
  }
}

function itemsOf(schema: Schema): JsonValue[] {
  return schema.kind === 'scalar'
    ? scalarValues(schema, false)
    : schema.kind === 'struct'
      ? [{}, filled(schema, 1) ?? {}]
      : [];
}

/** Its own rules are those of all types and are tried in one place. */
const untried = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'selfLink',
  'name',
  'namespace',
  'generateName',
  'ownerReferences',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

function* structChanges(schema: StructSchema, object: JsonObject, path: readonly Step[]): Generator<Change> {
  for (const field of schema.flat) {
    if (path.length === 0 && (field.name === 'kind' || field.name === 'apiVersion')) continue;
    if (path.at(-1) === 'metadata' && untried.has(field.name)) continue;
    yield* memberChanges(field, getKey(object, field.name), [...path, field.name]);
  }
}

function* memberChanges(field: Field, present: JsonValue | undefined, path: readonly Step[]): Generator<Change> {
  if (present === undefined || present === null) {
    for (const value of additions(field.schema)) yield { path, value };
    for (const value of field.enum ?? []) yield { path, value };
    return;
  }
  yield { path, value: undefined };
  for (const value of field.enum ?? []) if (value !== present) yield { path, value };
  yield* valueChanges(field.schema, present, path);
}

function* valueChanges(schema: Schema, present: JsonValue, path: readonly Step[]): Generator<Change> {
  if (schema.kind === 'scalar') {
    for (const value of scalarValues(schema, true)) if (value !== present) yield { path, value };
  } else if (schema.kind === 'struct' && isObject(present)) {
    yield { path, value: {} };
    yield* structChanges(schema, present, path);
  } else if (schema.kind === 'list' && Array.isArray(present)) {
    yield { path, value: [] };
    yield { path, value: [...present, ...present.slice(0, 1)] };
    if (present.length > 1) yield { path, value: present.toReversed() };
    for (const item of itemsOf(schema.items)) yield { path, value: [...present, item] };
    for (const [index, item] of present.entries()) yield* valueChanges(schema.items, item, [...path, index]);
  } else if (schema.kind === 'map' && isObject(present)) {
    yield { path, value: {} };
    yield { path: [...path, 'A b'], value: Object.values(present)[0] ?? '' };
    for (const [key, value] of Object.entries(present)) {
      yield { path: [...path, key], value: undefined };
      yield* valueChanges(schema.values, value, [...path, key]);
    }
  }
}

function changed(object: JsonObject, { path, value }: Change): JsonObject {
  const copy = cloneJson(object);
  let holder: JsonValue | undefined = copy;
  for (const step of path.slice(0, -1)) {
    const held: JsonValue | undefined = Array.isArray(holder)
      ? holder[Number(step)]
      : isObject(holder)
        ? getKey(holder, String(step))
        : undefined;
    holder = held;
  }
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder[Number(last)] = value ?? null;
  else if (isObject(holder) && value === undefined) delete holder[last];
  else if (isObject(holder) && value !== undefined) setKey(holder, String(last), value);
  return copy;
}

/** Every member of a valid object removed, emptied and replaced, and every one that it lacks added: one change each. */
export function mutantsOf(schema: StructSchema, object: JsonObject): Mutant[] {
  return [...structChanges(schema, object, [])].map((change) => ({
    name: `${change.path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .slice(1)} = ${JSON.stringify(change.value)?.slice(0, 120) ?? 'nothing'}`,
    object: changed(object, change),
  }));
}
