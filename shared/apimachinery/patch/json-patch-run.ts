import { cloneInSteps, shallowCopy } from '../clone.ts';
import { deepEqualInSteps } from '../deep-equal.ts';
import { byteLength, compareUtf8, goJson } from '../go-format.ts';
import { sliceIsOver, type Steps } from '../slices.ts';
import { sortInSteps } from '../sort-in-steps.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { getKey, isObject, setKey } from '../json.ts';
import { PatchError } from './patch-error.ts';

/** Bytes that the `copy` operations of one patch may add. */
export const MAX_JSON_PATCH_COPY_BYTES = 3 * 1024 * 1024;

type Container = JsonObject | JsonValue[];

function missing(text: string): PatchError {
  return new PatchError('unprocessable', `${text}: missing value`);
}

function badIndex(index: number): PatchError {
  return new PatchError('unprocessable', `Unable to access invalid index: ${index}: invalid index referenced`);
}

function parseIndex(key: string): number {
  if (!/^[+-]?[0-9]{1,15}$/.test(key))
    throw new PatchError('unprocessable', `value was not a proper array index: '${key}'`);
  return Number(key);
}

/** Index of an existing item (`extra` 0) or of a place to insert (`extra` 1). */
function resolveIndex(length: number, key: string, extra: 0 | 1): number {
  const index = parseIndex(key);
  const size = length + extra;
  if (index >= size || index < -size) throw badIndex(index);
  return index < 0 ? index + size : index;
}

/** One application of a patch. A container on a changed path is copied once, and its copy is then changed in place. */
export class PatchRun {
  root: Container;
  readonly entered = new Set<JsonValue>();
  readonly #owned = new Set<Container>();
  #copiedBytes = 0;

  constructor(document: JsonObject) {
    this.root = document;
    this.entered.add(document);
  }

  /** Applies an operation; for `test` and `copy`, which may take long, it returns the steps that do. */
  apply(operation: JsonObject): Steps<void> | undefined {
    const kind = getKey(operation, 'op');
    switch (kind) {
      case 'add':
        this.#add(operation);
        return undefined;
      case 'remove':
        this.#remove(operation);
        return undefined;
      case 'replace':
        this.#replace(operation);
        return undefined;
      case 'move':
        this.#move(operation);
        return undefined;
      case 'test':
        return this.#test(operation);
      case 'copy':
        return this.#copy(operation);
      default:
        throw new PatchError('unprocessable', `Unexpected kind: ${typeof kind === 'string' ? kind : 'unknown'}`);
    }
  }

  #own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : shallowCopy(container);
    this.#owned.add(copy);
    this.entered.add(copy);
    return copy;
  }

  /**
   * The container of the last path element, ready to be changed when `write` is set. Text before the first slash is
   * ignored.
   */
  #find(path: string, write: boolean): { container: Container; key: string } | undefined {
    const parts = path
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = parts.pop();
    if (key === undefined) return undefined;
    if (write) this.root = this.#own(this.root);
    let container = this.root;
    for (const part of parts) {
      const next = lookUp(container, part);
      if (!Array.isArray(next) && !isObject(next)) return undefined;
      // The original is entered, too: the path to the new place may lead through the value that is being copied.
      this.entered.add(next);
      container = write ? this.#ownMember(container, part, next) : next;
    }
    return { container, key };
  }

  #ownMember(container: Container, key: string, member: Container): Container {
    const owned = this.#own(member);
    if (owned === member) return member;
    if (Array.isArray(container)) container[resolveIndex(container.length, key, 0)] = owned;
    else setKey(container, key, owned);
    return owned;
  }

  #add(operation: JsonObject): void {
    const path = pathOf(operation, 'path', 'add');
    const place = this.#find(path, true);
    if (place === undefined) throw missing(`add operation does not apply: doc is missing path: "${path}"`);
    insert(place.container, place.key, getKey(operation, 'value') ?? null);
  }

  #remove(operation: JsonObject): void {
    const path = pathOf(operation, 'path', 'remove');
    const place = this.#find(path, true);
    if (place === undefined) throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
    removeMember(place.container, place.key);
  }

  #replace(operation: JsonObject): void {
    const path = pathOf(operation, 'path', 'replace');
    const value = getKey(operation, 'value') ?? null;
    if (path === '') {
      if (!Array.isArray(value) && !isObject(value))
        throw new PatchError('unprocessable', 'replace operation value must be object or array');
      this.root = value;
      this.entered.add(value);
      return;
    }
    const place = this.#find(path, true);
    if (place === undefined) throw missing(`replace operation does not apply: doc is missing path: ${path}`);
    const { container, key } = place;
    if (Array.isArray(container)) container[resolveIndex(container.length, key, 0)] = value;
    else setKey(container, key, value);
  }

  #move(operation: JsonObject): void {
    const from = pathOf(operation, 'from', 'move');
    const source = this.#find(from, true);
    if (source === undefined) throw missing(`move operation does not apply: doc is missing from path: ${from}`);
    const value = memberOf(source.container, source.key);
    removeMember(source.container, source.key);
    const path = pathOf(operation, 'path', 'move');
    const target = this.#find(path, true);
    if (target === undefined) throw missing(`move operation does not apply: doc is missing destination path: ${path}`);
    insert(target.container, target.key, value ?? null);
  }

  *#copy(operation: JsonObject): Steps<void> {
    const from = pathOf(operation, 'from', 'copy');
    const source = this.#find(from, false);
    if (source === undefined) throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
    const value = memberOf(source.container, source.key);
    const path = pathOf(operation, 'path', 'copy');
    const target = this.#find(path, true);
    if (target === undefined) throw missing(`copy operation does not apply: doc is missing destination path: ${path}`);
    if (value !== undefined && value !== null) this.#countCopy(yield* goJsonLength(value));
    insert(target.container, target.key, yield* this.#copyOf(value ?? null));
  }

  /** A copy as upstream prints it at this point: the keys of entered objects are sorted. */
  *#copyOf(value: JsonValue): Steps<JsonValue> {
    if (!this.entered.has(value)) return yield* cloneInSteps(value);
    if (Array.isArray(value)) {
      const list: JsonValue[] = [];
      for (const item of value) list.push(yield* this.#copyOf(item));
      return list;
    }
    const copy: JsonObject = {};
    if (isObject(value)) {
      for (const key of yield* sortInSteps(Object.keys(value), compareUtf8)) {
        setKey(copy, key, yield* this.#copyOf(getKey(value, key) ?? null));
        if (sliceIsOver()) yield;
      }
    }
    return copy;
  }

  #countCopy(bytes: number): void {
    this.#copiedBytes += bytes;
    if (this.#copiedBytes <= MAX_JSON_PATCH_COPY_BYTES) return;
    throw new PatchError(
      'unprocessable',
      'Unable to complete the copy, the accumulated size increase of copy is ' +
        `${this.#copiedBytes}, exceeding the limit ${MAX_JSON_PATCH_COPY_BYTES}`,
    );
  }

  *#test(operation: JsonObject): Steps<void> {
    const path = pathOf(operation, 'path', 'test');
    const expected = getKey(operation, 'value') ?? null;
    const place = path === '' ? undefined : this.#find(path, false);
    if (path !== '' && place === undefined) throw missing(`test operation does not apply: is missing path: ${path}`);
    const actual = place === undefined ? this.root : memberOf(place.container, place.key);
    if (!(yield* deepEqualInSteps(actual ?? null, expected)))
      throw new PatchError('unprocessable', `testing value ${path} failed: test failed`);
    yield* this.#enterAll(actual);
  }

  /** Marks a compared value as entered, with all objects and lists in it. */
  *#enterAll(value: JsonValue | undefined): Steps<void> {
    if (typeof value !== 'object' || value === null) return;
    this.entered.add(value);
    for (const item of Object.values(value)) {
      if (typeof item === 'object' && item !== null) yield* this.#enterAll(item);
      if (sliceIsOver()) yield;
    }
  }
}

/** The length in bytes of the JSON that Go writes for a value. */
function* goJsonLength(value: JsonValue): Steps<number> {
  if (typeof value !== 'object' || value === null) return byteLength(goJson(value));
  // Two brackets; each member after the first adds a comma.
  let bytes = 2;
  for (const [key, member] of Object.entries(value)) {
    if (bytes > 2) bytes++;
    if (!Array.isArray(value)) bytes += byteLength(goJson(key)) + 1;
    bytes += yield* goJsonLength(member);
    if (sliceIsOver()) yield;
  }
  return bytes;
}

function pathOf(operation: JsonObject, member: 'path' | 'from', kind: string): string {
  const path = getKey(operation, member);
  if (typeof path === 'string') return path;
  throw missing(`${kind} operation failed to decode ${member}`);
}

/** The member that a step of a path names; undefined where there is none. */
function lookUp(container: Container, key: string): JsonValue | undefined {
  if (!Array.isArray(container)) return getKey(container, key);
  try {
    return container[resolveIndex(container.length, key, 0)];
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/** The member that the last step names: a bad index is an error, a missing key is not. */
function memberOf(container: Container, key: string): JsonValue | undefined {
  return Array.isArray(container) ? container[resolveIndex(container.length, key, 0)] : getKey(container, key);
}

function insert(container: Container, key: string, value: JsonValue): void {
  if (!Array.isArray(container)) setKey(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(resolveIndex(container.length, key, 1), 0, value);
}

function removeMember(container: Container, key: string): void {
  if (Array.isArray(container)) container.splice(resolveIndex(container.length, key, 0), 1);
  else if (!Object.hasOwn(container, key)) throw missing(`Unable to remove nonexistent key: ${key}`);
  else delete container[key];
}
