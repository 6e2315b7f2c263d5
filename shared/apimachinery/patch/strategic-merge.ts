import { shallowCopyInSteps } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject, setKey } from '#shared/apimachinery/json/json.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { DIRECTIVE, cleanedValue, cleanedItems } from './cleaned-patch.ts';
import { badArgument, identity, itemKind, noMergeKey, orderMerged, partition, placesByKey } from './merge-list.ts';
import {
  applyItemDirectives,
  DELETE_FROM_LIST,
  directiveTarget,
  replaceOrDelete,
  requireOrder,
  retainKeys,
  SET_ORDER,
} from './patch-directives.ts';
import { PatchError } from './patch-error.ts';
import type { PatchedType, PatchMeta } from './patch-meta.ts';
import { itemKindName, lookUpList, lookUpObject } from './patch-meta.ts';

/**
 * Applies a strategic merge patch, driven by the patch strategies and merge keys of the schema
 * (apimachinery/pkg/util/strategicpatch). The document is not changed and shares untouched parts with the result. The
 * patch is changed: applied directives and nulls are removed from it, and errors show it without them.
 * @throws PatchError
 */
export function* applyStrategicMergePatch(schema: Schema, document: JsonObject, patch: JsonObject): Steps<JsonObject> {
  return yield* new StrategicMerge().mergeObject(document, patch, { schema, pointer: false });
}

/** One merge, which knows what of the patch the result holds by now. */
class StrategicMerge {
  /** Objects of the patch in the result: later merges into them change the patch, which error texts show. */
  readonly #taken = new Set<JsonValue>();

  *mergeObject(original: JsonObject, patch: JsonObject, type: PatchedType): Steps<JsonObject> {
    const directive = getKey(patch, DIRECTIVE);
    if (directive !== undefined) return replaceOrDelete(directive, patch);
    const result = this.#taken.has(original) ? original : yield* shallowCopyInSteps(original);
    retainKeys(result, patch);
    // V8 needs 100 ms to tell the keys of an object that fills a body, so they are asked for once.
    const keys = Object.keys(patch);
    yield* this.#setElementOrders(result, patch, keys, type);
    for (const patchKey of keys) {
      if (!Object.hasOwn(patch, patchKey)) continue;
      const fromList = patchKey.startsWith(DELETE_FROM_LIST);
      const key = fromList ? directiveTarget(patchKey, DELETE_FROM_LIST) : patchKey;
      yield* this.#mergeMember(result, key, patch[patchKey] ?? null, type, fromList);
      if (sliceIsOver()) yield;
    }
    return result;
  }

  *#mergeMember(
    result: JsonObject,
    key: string,
    patchValue: JsonValue,
    type: PatchedType,
    fromList: boolean,
  ): Steps<void> {
    if (patchValue === null) {
      delete result[key];
      return;
    }
    const current = getKey(result, key);
    if (current !== undefined && this.#taken.has(result)) this.#take(current);
    if (current === undefined || goTypeName(current) !== goTypeName(patchValue)) {
      if (fromList) return;
      yield* this.#assignNew(result, key, patchValue);
    } else if (isObject(current) && isObject(patchValue)) {
      const meta = lookUpObject(type, key);
      setKey(
        result,
        key,
        meta.strategy === 'replace' ? patchValue : yield* this.mergeObject(current, patchValue, meta),
      );
    } else if (Array.isArray(current) && Array.isArray(patchValue)) {
      const meta = lookUpList(type, key);
      setKey(result, key, yield* this.#mergeOrReplaceList(current, patchValue, meta, fromList));
    } else {
      setKey(result, key, patchValue);
    }
  }

  /** Sets a value that was missing or of another type before: nulls and directives are removed from it. */
  *#assignNew(result: JsonObject, key: string, value: JsonValue): Steps<void> {
    const cleaned = yield* cleanedValue(value, true);
    if (cleaned === undefined) {
      delete result[key];
      return;
    }
    setKey(result, key, cleaned);
    this.#take(cleaned);
  }

  /** Notes an object of the patch, or a list's items, as part of the result; members are noted when merged into. */
  #take(value: JsonValue): void {
    for (const item of Array.isArray(value) ? value : [value]) if (isObject(item)) this.#taken.add(item);
  }

  /** Handles `$setElementOrder/<list>` together with the list's own patch, which is removed from the patch. */
  *#setElementOrders(result: JsonObject, patch: JsonObject, keys: readonly string[], type: PatchedType): Steps<void> {
    for (const directiveKey of keys) {
      if (sliceIsOver()) yield;
      if (!directiveKey.startsWith(SET_ORDER)) continue;
      const order = getKey(patch, directiveKey) ?? null;
      delete patch[directiveKey];
      if (!Array.isArray(order)) throw badArgument('list', order);
      const key = directiveTarget(directiveKey, SET_ORDER);
      const current = listMember(result, key);
      const changes = listMember(patch, key);
      const meta = lookUpList(type, key);
      requireOrder(changes ?? [], order, meta.mergeKey);
      const merged = yield* this.#mergedList(current, changes, meta);
      if (sliceIsOver()) yield;
      if (merged === undefined) continue;
      const kind = yield* itemKind(current ?? [], changes ?? []);
      const parts = yield* partition(merged, order, meta.mergeKey, meta.mergeKey === '' ? 'scalar' : 'object');
      setKey(result, key, yield* orderMerged(parts, order, current ?? [], meta.mergeKey, kind));
      delete patch[key];
    }
  }

  *#mergedList(
    current: JsonValue[] | undefined,
    changes: JsonValue[] | undefined,
    meta: PatchMeta,
  ): Steps<JsonValue[] | undefined> {
    if (changes === undefined) return current;
    if (current === undefined) return yield* cleanedItems(changes, false);
    return yield* this.#mergeOrReplaceList(current, changes, meta, false);
  }

  *#mergeOrReplaceList(
    current: JsonValue[],
    changes: JsonValue[],
    meta: PatchMeta,
    fromList: boolean,
  ): Steps<JsonValue[]> {
    if (meta.strategy !== 'merge' && !fromList) return changes;
    if (current.length === 0 && changes.length === 0) return current;
    const kind = yield* itemKind(current, changes);
    if (kind === 'scalar') return yield* mergeScalars(current, changes, meta.mergeKey, fromList);
    if (meta.mergeKey === '')
      throw new PatchError('internal', `cannot merge lists without merge key for ${itemKindName(meta.schema)}`);
    const split = applyItemDirectives(current, changes, meta.mergeKey);
    if (sliceIsOver()) yield;
    const merged = yield* this.#mergeItems(split.current, split.changes, meta);
    const parts = yield* partition(merged, split.changes, meta.mergeKey, kind);
    if (sliceIsOver()) yield;
    return yield* orderMerged(parts, split.changes, split.current, meta.mergeKey, kind);
  }

  *#mergeItems(current: JsonValue[], changes: JsonValue[], meta: PatchMeta): Steps<JsonValue[]> {
    const result = [...current];
    const places = yield* placesByKey(current, meta.mergeKey);
    for (const item of changes) {
      if (!isObject(item)) throw badArgument('object', item);
      if (getKey(item, meta.mergeKey) === undefined) throw noMergeKey(item, meta.mergeKey);
      const key = identity(item, meta.mergeKey, 'object');
      const at = places.get(key);
      const match = at === undefined ? undefined : result[at];
      if (at !== undefined && isObject(match)) result[at] = yield* this.mergeObject(match, item, meta);
      else {
        places.set(key, result.length);
        result.push(item);
        this.#take(item);
      }
      if (sliceIsOver()) yield;
    }
    return result;
  }
}

function listMember(object: JsonObject, key: string): JsonValue[] | undefined {
  const value = getKey(object, key);
  if (value === undefined || Array.isArray(value)) return value;
  throw badArgument('list', value);
}

function* mergeScalars(
  current: JsonValue[],
  changes: JsonValue[],
  mergeKey: string,
  fromList: boolean,
): Steps<JsonValue[]> {
  if (fromList) {
    const removed = new Set(changes.map((item) => identity(item, '', 'scalar')));
    return current.filter((item) => !removed.has(identity(item, '', 'scalar')));
  }
  const byIdentity = new Map<string, JsonValue>();
  for (const list of [current, changes]) {
    for (const item of list) {
      byIdentity.set(identity(item, '', 'scalar'), item);
      if (sliceIsOver()) yield;
    }
  }
  const parts = yield* partition([...byIdentity.values()], changes, mergeKey, 'scalar');
  return yield* orderMerged(parts, changes, current, mergeKey, 'scalar');
}
