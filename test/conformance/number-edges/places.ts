import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarType, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { edgeValues } from './edge-values.ts';

export type Step = string | number;

/** A field of a kind that holds a number, a quantity, a duration or a time. */
export interface Place {
  readonly path: readonly Step[];
  readonly type: ScalarType;
}

const holdsNumber = (type: ScalarType): boolean => edgeValues(type).length > 0;

/**
 * Each such field of a kind, once for each type that declares it: where the object has it, or else at the first path
 * that leads to it. @param isWanted tells the types of other fields that are looked for
 */
export function placesOf(
  schema: StructSchema,
  object: JsonObject,
  isWanted: (type: ScalarType) => boolean = holdsNumber,
): Place[] {
  const found = new Map<string, Place & { readonly isPresent: boolean }>();
  const note = (key: string, path: readonly Step[], type: ScalarType, isPresent: boolean): void => {
    const known = found.get(key);
    if (known === undefined || (isPresent && !known.isPresent)) found.set(key, { path, type, isPresent });
  };
  const walk = (of: Schema, value: JsonValue | undefined, path: readonly Step[], key: string, above: string): void => {
    if (of.kind === 'scalar') {
      if (isWanted(of.type)) note(key, path, of.type, value !== undefined);
    } else if (of.kind === 'list') {
      walk(of.items, Array.isArray(value) ? value[0] : undefined, [...path, 0], key, above);
    } else if (of.kind === 'map') {
      const [first] = isObject(value) ? Object.keys(value) : [];
      const member = isObject(value) && first !== undefined ? getKey(value, first) : undefined;
      walk(of.values, member, [...path, first ?? 'a'], key, above);
    } else if (!above.includes(` ${of.name} `)) {
      // A type within itself (schemas) has no further fields.
      for (const { name, schema: member } of of.flat)
        walk(
          member,
          isObject(value) ? getKey(value, name) : undefined,
          [...path, name],
          `${of.name}.${name}`,
          `${above} ${of.name} `,
        );
    }
  };
  walk(schema, object, [], '', '');
  return [...found.values()].filter(({ path }) => path.at(-1) !== 'apiVersion');
}

/** A copy of an object with a value at a path; what is missing on the way is made. */
export function withValue(object: JsonObject, path: readonly Step[], value: JsonValue): JsonObject {
  const copy = cloneJson(object);
  let holder: JsonObject | JsonValue[] = copy;
  for (const [at, step] of path.entries()) {
    const isLast = at === path.length - 1;
    const present: JsonValue | undefined = memberOf(holder, step);
    const isHolder = typeof present === 'object' && present !== null;
    const next: JsonValue = isLast ? value : isHolder ? present : typeof path[at + 1] === 'number' ? [] : {};
    if (Array.isArray(holder)) holder[Number(step)] = next;
    else setKey(holder, String(step), next);
    if (!isLast) holder = next as JsonObject | JsonValue[];
  }
  return copy;
}

function memberOf(holder: JsonObject | JsonValue[], step: Step): JsonValue | undefined {
  return Array.isArray(holder) ? holder[Number(step)] : getKey(holder, String(step));
}

/** The object that a merge patch needs to write what stands at a path; lists are written whole. */
export function mergePatchOf(object: JsonObject, path: readonly Step[]): JsonObject {
  const patch: JsonObject = {};
  let to = patch;
  let from: JsonValue = object;
  for (const [at, step] of path.entries()) {
    const member: JsonValue = memberOf(from as JsonObject, step) ?? null;
    const isWhole = at === path.length - 1 || Array.isArray(member);
    const next: JsonValue = isWhole ? member : {};
    setKey(to, String(step), next);
    if (isWhole) break;
    to = next as JsonObject;
    from = member;
  }
  return patch;
}

/** `spec.containers[0].image`. */
export function pathText(path: readonly Step[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

export function pointerOf(path: readonly Step[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
