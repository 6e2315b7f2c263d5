import { cloneInSteps, shallowCopy } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject, setKey } from '#shared/apimachinery/json/json.ts';
import { deepEqualInSteps } from '#shared/apimachinery/schema/deep-equal.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { byteLength, compareUtf8, goJson } from '#shared/apimachinery/text/go-format.ts';
import { missingValue, prefixed, PatchContainers, type Container } from './patch-containers.ts';
import { PatchError, PatchTestError } from './patch-error.ts';

/** Bytes that the `copy` operations of one patch may add. */
export const MAX_JSON_PATCH_COPY_BYTES = 3 * 1024 * 1024;

/** One application of a patch. A container on a changed path is copied once, and its copy is then changed in place. */
export class PatchRun {
  root: Container;
  readonly entered = new Set<JsonValue>();
  readonly #owned = new Set<Container>();
  readonly #containers = new PatchContainers();
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

  /** The patched document, once all operations are applied. */
  result(): Container {
    this.#containers.settleAll();
    return this.root;
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
      const next = this.#containers.lookUp(container, part);
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
    this.#containers.replace(container, key, owned);
    return owned;
  }

  #add(operation: JsonObject): void {
    const path = pathOf(operation, 'path', 'add');
    const place = this.#find(path, true);
    if (place === undefined) throw missingValue(`add operation does not apply: doc is missing path: "${path}"`);
    const value = getKey(operation, 'value') ?? null;
    prefixed(`error in add for path: '${path}'`, () => this.#containers.insert(place.container, place.key, value));
  }

  #remove(operation: JsonObject): void {
    const path = pathOf(operation, 'path', 'remove');
    const place = this.#find(path, true);
    if (place === undefined) throw missingValue(`remove operation does not apply: doc is missing path: "${path}"`);
    prefixed(`error in remove for path: '${path}'`, () => this.#containers.remove(place.container, place.key));
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
    if (place === undefined) throw missingValue(`replace operation does not apply: doc is missing path: ${path}`);
    // A bad index counts as a missing key.
    try {
      this.#containers.replace(place.container, place.key, value);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw missingValue(`replace operation does not apply: doc is missing key: ${path}`);
    }
  }

  #move(operation: JsonObject): void {
    const from = pathOf(operation, 'from', 'move');
    const source = this.#find(from, true);
    if (source === undefined) throw missingValue(`move operation does not apply: doc is missing from path: ${from}`);
    const value = prefixed(`error in move for path: '${source.key}'`, () => {
      const member = this.#containers.memberOf(source.container, source.key);
      this.#containers.remove(source.container, source.key);
      return member;
    });
    const path = pathOf(operation, 'path', 'move');
    const target = this.#find(path, true);
    if (target === undefined)
      throw missingValue(`move operation does not apply: doc is missing destination path: ${path}`);
    prefixed(`error in move for path: '${path}'`, () =>
      this.#containers.insert(target.container, target.key, value ?? null),
    );
  }

  *#copy(operation: JsonObject): Steps<void> {
    const from = pathOf(operation, 'from', 'copy');
    const source = this.#find(from, false);
    if (source === undefined) throw missingValue(`copy operation does not apply: doc is missing from path: ${from}`);
    const value = prefixed(`error in copy for from: '${from}'`, () =>
      this.#containers.memberOf(source.container, source.key),
    );
    const path = pathOf(operation, 'path', 'copy');
    const target = this.#find(path, true);
    if (target === undefined)
      throw missingValue(`copy operation does not apply: doc is missing destination path: ${path}`);
    yield* this.#containers.settle(value);
    if (value !== undefined && value !== null) this.#countCopy(yield* goJsonLength(value));
    const copied = yield* this.#copyOf(value ?? null);
    prefixed('error while adding value during copy', () =>
      this.#containers.insert(target.container, target.key, copied),
    );
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
    if (path !== '' && place === undefined)
      throw missingValue(`test operation does not apply: is missing path: ${path}`);
    const actual =
      place === undefined
        ? this.root
        : prefixed(`error in test for path: '${path}'`, () => this.#containers.memberOf(place.container, place.key));
    yield* this.#containers.settle(actual);
    if (!(yield* deepEqualInSteps(actual ?? null, expected)))
      throw new PatchTestError(`testing value ${path} failed: test failed`);
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
  throw missingValue(`${kind} operation failed to decode ${member}`);
}
