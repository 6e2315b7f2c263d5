import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { LongList } from './long-list.ts';
import { PatchError } from './patch-error.ts';

export type Container = JsonObject | JsonValue[];

/** Lists with as many items are edited as a {@link LongList}: a patch may have 10,000 operations on a million items. */
const longLength = 16_384;

export function missingValue(text: string): PatchError {
  return new PatchError('unprocessable', `${text}: missing value`);
}

function badIndex(index: number): PatchError {
  return new PatchError('unprocessable', `Unable to access invalid index: ${index}: invalid index referenced`);
}

function parseIndex(key: string): number {
  if (!/^[+-]?[0-9]{1,15}$/.test(key))
    throw new PatchError('unprocessable', `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`);
  return Number(key);
}

/** Index of an existing item (`extra` 0) or of a place to insert (`extra` 1). */
function resolveIndex(length: number, key: string, extra: 0 | 1): number {
  const index = parseIndex(key);
  const size = length + extra;
  if (index >= size || index < -size) throw badIndex(index);
  return index < 0 ? index + size : index;
}

function placeIn(length: number, key: string): number {
  if (/^[+-]?[0-9]+$/.test(key)) return resolveIndex(length, key, 1);
  return prefixed(`value was not a proper array index: '${key}'`, () => resolveIndex(length, key, 1));
}

/** Runs a part of an operation, and says in its errors what it was for. */
export function prefixed<T>(doing: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof PatchError ? new PatchError(error.kind, `${doing}: ${error.message}`) : error;
  }
}

/**
 * Reads and changes members of objects and lists. The changes of long lists are written by `settle` and `settleAll`.
 */
export class PatchContainers {
  readonly #long = new Map<JsonValue[], LongList>();

  /** The member that a step of a path names; undefined where there is none. */
  lookUp(container: Container, key: string): JsonValue | undefined {
    try {
      return this.memberOf(container, key);
    } catch (error) {
      if (error instanceof PatchError) return undefined;
      throw error;
    }
  }

  /** The member that the last step names: a bad index is an error, a missing key is not. */
  memberOf(container: Container, key: string): JsonValue | undefined {
    if (!Array.isArray(container)) return getKey(container, key);
    const list = this.#long.get(container) ?? container;
    return list.at(resolveIndex(list.length, key, 0));
  }

  replace(container: Container, key: string, value: JsonValue): void {
    if (!Array.isArray(container)) return setKey(container, key, value);
    const long = this.#long.get(container);
    const index = resolveIndex((long ?? container).length, key, 0);
    if (long === undefined) container[index] = value;
    else long.set(index, value);
  }

  insert(container: Container, key: string, value: JsonValue): void {
    if (!Array.isArray(container)) return setKey(container, key, value);
    const list = this.#edited(container);
    const index = key === '-' ? list.length : placeIn(list.length, key);
    if (list instanceof LongList) list.insert(index, value);
    else list.splice(index, 0, value);
  }

  remove(container: Container, key: string): void {
    if (Array.isArray(container)) {
      const list = this.#edited(container);
      const index = resolveIndex(list.length, key, 0);
      if (list instanceof LongList) list.remove(index);
      else list.splice(index, 1);
    } else if (!Object.hasOwn(container, key)) throw missingValue(`Unable to remove nonexistent key: ${key}`);
    else delete container[key];
  }

  #edited(list: JsonValue[]): LongList | JsonValue[] {
    const known = this.#long.get(list);
    if (known !== undefined || list.length < longLength) return known ?? list;
    const long = new LongList(list);
    this.#long.set(list, long);
    return long;
  }

  /** Writes the changes of all long lists. */
  settleAll(): void {
    for (const [list, long] of this.#long) this.#write(list, long);
  }

  #write(list: JsonValue[], long: LongList): void {
    list.length = 0;
    for (const item of long.items()) list.push(item);
    this.#long.delete(list);
  }

  /** Writes the changes of the long lists in a value. */
  *settle(value: JsonValue | undefined): Steps<void> {
    if (this.#long.size === 0 || typeof value !== 'object' || value === null) return;
    const long = Array.isArray(value) ? this.#long.get(value) : undefined;
    if (long !== undefined) this.#write(value as JsonValue[], long);
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) yield* this.settle(member);
      if (sliceIsOver()) yield;
    }
  }
}
