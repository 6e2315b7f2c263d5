import { copyInSteps, shallowCopy } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject, setKey } from '#shared/apimachinery/json/json.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goPrint, goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { DIRECTIVE, cleanedInSteps, cleanedItems } from './cleaned-patch.ts';
import { badArgument, identity, itemKind, noMergeKey, orderMerged, partition, placesByKey } from './merge-list.ts';
import { PatchError } from './patch-error.ts';
import type { PatchedType, PatchMeta } from './patch-meta.ts';
import { itemKindName, lookUpList, lookUpObject } from './patch-meta.ts';

const RETAIN_KEYS = '$retainKeys';
const SET_ORDER = '$setElementOrder';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

/**
 * Applies a strategic merge patch, driven by the patch strategies and merge keys of the schema
 * (apimachinery/pkg/util/strategicpatch). The document is not changed and shares untouched parts with the result. The
 * patch is changed: applied directives and nulls are removed from it, and errors show it without them.
 * @throws PatchError
 */
export function* applyStrategicMergePatch(schema: Schema, document: JsonObject, patch: JsonObject): Steps<JsonObject> {
  return yield* mergeObject(document, patch, { schema, pointer: false, taken: new Set() });
}

function* mergeObject(original: JsonObject, patch: JsonObject, type: PatchedType): Steps<JsonObject> {
  const directive = getKey(patch, DIRECTIVE);
  if (directive !== undefined) return replaceOrDelete(directive, patch);
  const result = type.taken.has(original)
    ? original
    : isSliced()
      ? yield* copyInSteps(original)
      : shallowCopy(original);
  retainKeys(result, patch);
  // V8 needs 100 ms to tell the keys of an object that fills a body, so they are asked for once.
  const keys = Object.keys(patch);
  yield* setElementOrders(result, patch, keys, type);
  for (const patchKey of keys) {
    if (!Object.hasOwn(patch, patchKey)) continue;
    const fromList = patchKey.startsWith(DELETE_FROM_LIST);
    const key = fromList ? directiveTarget(patchKey, DELETE_FROM_LIST) : patchKey;
    yield* mergeMember(result, key, patch[patchKey] ?? null, type, fromList);
    if (sliceIsOver()) yield;
  }
  return result;
}

function replaceOrDelete(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw badDirective(directive, patch);
  delete patch[DIRECTIVE];
  return patch;
}

function badDirective(directive: JsonValue, patch: JsonObject): PatchError {
  const name = goTypeName(directive);
  const shown =
    typeof directive === 'string' ? directive : name === '' ? '%!s(<nil>)' : `%!s(${name}=${goPrint(directive)})`;
  return new PatchError('internal', `unknown patch type: ${shown} in map: ${goPrint(patch)}`);
}

/** `$setElementOrder/containers` to `containers`. */
function directiveTarget(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw new PatchError(
    'badRequest',
    `invalid patch format of ${prefix === SET_ORDER ? 'setElementOrder list' : 'primitive list'}`,
  );
}

function* mergeMember(
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
  if (current !== undefined && type.taken.has(result)) take(current, type);
  if (current === undefined || goTypeName(current) !== goTypeName(patchValue)) {
    if (fromList) return;
    yield* assignNew(result, key, patchValue, type);
  } else if (isObject(current) && isObject(patchValue)) {
    const meta = lookUpObject(type, key);
    setKey(result, key, meta.strategy === 'replace' ? patchValue : yield* mergeObject(current, patchValue, meta));
  } else if (Array.isArray(current) && Array.isArray(patchValue)) {
    const meta = lookUpList(type, key);
    setKey(result, key, yield* mergeOrReplaceList(current, patchValue, meta, fromList));
  } else {
    setKey(result, key, patchValue);
  }
}

/** Sets a value that was missing or of another type before: nulls and directives are removed from it. */
function* assignNew(result: JsonObject, key: string, value: JsonValue, type: PatchedType): Steps<void> {
  const cleaned = yield* cleanedInSteps(value, true);
  if (cleaned === undefined) {
    delete result[key];
    return;
  }
  setKey(result, key, cleaned);
  take(cleaned, type);
}

/** Notes an object of the patch, or a list's items, as part of the result; members are noted when merged into. */
function take(value: JsonValue, { taken }: PatchedType): void {
  for (const item of Array.isArray(value) ? value : [value]) if (isObject(item)) taken.add(item);
}

/** `$retainKeys` names all keys that stay; every key that the patch sets must be among them. */
function retainKeys(result: JsonObject, patch: JsonObject): void {
  const directive = getKey(patch, RETAIN_KEYS);
  if (directive === undefined) return;
  delete patch[RETAIN_KEYS];
  const malformed = new PatchError('badRequest', 'invalid patch format of retainKeys');
  if (!Array.isArray(directive)) throw malformed;
  const kept = new Set<JsonValue>(directive);
  for (const key of Object.keys(patch)) {
    const exempt = patch[key] === null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER);
    if (!exempt && !kept.has(key)) throw malformed;
  }
  for (const key of Object.keys(result)) if (!kept.has(key)) delete result[key];
}

/** Handles `$setElementOrder/<list>` together with the list's own patch, which is removed from the patch. */
function* setElementOrders(
  result: JsonObject,
  patch: JsonObject,
  keys: readonly string[],
  type: PatchedType,
): Steps<void> {
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
    const merged = yield* mergedList(current, changes, meta);
    if (sliceIsOver()) yield;
    if (merged === undefined) continue;
    const kind = yield* itemKind(current ?? [], changes ?? []);
    const parts = yield* partition(merged, order, meta.mergeKey, meta.mergeKey === '' ? 'scalar' : 'object');
    setKey(result, key, yield* orderMerged(parts, order, current ?? [], meta.mergeKey, kind));
    delete patch[key];
  }
}

function listMember(object: JsonObject, key: string): JsonValue[] | undefined {
  const value = getKey(object, key);
  if (value === undefined || Array.isArray(value)) return value;
  throw badArgument('list', value);
}

function* mergedList(
  current: JsonValue[] | undefined,
  changes: JsonValue[] | undefined,
  meta: PatchMeta,
): Steps<JsonValue[] | undefined> {
  if (changes === undefined) return current;
  if (current === undefined) return yield* cleanedItems(changes, false);
  return yield* mergeOrReplaceList(current, changes, meta, false);
}

/** The items of the patch must come in the order that `$setElementOrder` states. */
function requireOrder(changes: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (changes.length === 0 || order.length === 0) return;
  const kind = mergeKey === '' ? 'scalar' : 'object';
  let at = 0;
  for (const item of changes) {
    if (kind === 'object' && !isObject(item)) throw badArgument('object', item);
    if (isObject(item) && Object.hasOwn(item, DIRECTIVE)) continue;
    while (at < order.length && !sameItem(item, order[at] ?? null, mergeKey)) at++;
    if (at === order.length) {
      throw new PatchError(
        'internal',
        `The order in patch list:\n${goPrint([...changes])}\n doesn't match ${SET_ORDER} list:\n${goPrint([...order])}\n`,
      );
    }
    at++;
  }
}

function sameItem(left: JsonValue, right: JsonValue, mergeKey: string): boolean {
  const kind = mergeKey === '' ? 'scalar' : 'object';
  if (kind === 'object') {
    for (const side of [left, right]) {
      if (!isObject(side)) throw badArgument('object', side);
      if (!Object.hasOwn(side, mergeKey)) throw noMergeKey(side, mergeKey);
    }
  }
  return identity(left, mergeKey, kind) === identity(right, mergeKey, kind);
}

function* mergeOrReplaceList(
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
  const merged = yield* mergeItems(split.current, split.changes, meta);
  const parts = yield* partition(merged, split.changes, meta.mergeKey, kind);
  if (sliceIsOver()) yield;
  return yield* orderMerged(parts, split.changes, split.current, meta.mergeKey, kind);
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

/** Items with `$patch: delete` remove their match; one with `$patch: replace` makes the other items the whole list. */
function applyItemDirectives(
  current: JsonValue[],
  changes: JsonValue[],
  mergeKey: string,
): { current: JsonValue[]; changes: JsonValue[] } {
  const deleted = new Set<string>();
  let replace = false;
  const plain: JsonValue[] = [];
  for (const item of changes) {
    const directive = isObject(item) ? getKey(item, DIRECTIVE) : undefined;
    if (directive === undefined || !isObject(item)) plain.push(item);
    else if (directive === 'delete') deleted.add(deletedIdentity(item, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge')
      throw new PatchError('internal', 'merging lists cannot yet be specified in the patch');
    else throw badDirective(directive, item);
  }
  if (replace) return { current: plain, changes: [] };
  const isLeft = (item: JsonValue): boolean =>
    !isObject(item) || getKey(item, mergeKey) === undefined || !deleted.has(identity(item, mergeKey, 'object'));
  return { current: deleted.size === 0 ? current : current.filter(isLeft), changes: plain };
}

function deletedIdentity(item: JsonObject, mergeKey: string): string {
  if (getKey(item, mergeKey) === undefined) throw noMergeKey(item, mergeKey);
  return identity(item, mergeKey, 'object');
}

function* mergeItems(current: JsonValue[], changes: JsonValue[], meta: PatchMeta): Steps<JsonValue[]> {
  const result = [...current];
  const places = yield* placesByKey(current, meta.mergeKey);
  for (const item of changes) {
    if (!isObject(item)) throw badArgument('object', item);
    if (getKey(item, meta.mergeKey) === undefined) throw noMergeKey(item, meta.mergeKey);
    const key = identity(item, meta.mergeKey, 'object');
    const at = places.get(key);
    const match = at === undefined ? undefined : result[at];
    if (at !== undefined && isObject(match)) result[at] = yield* mergeObject(match, item, meta);
    else {
      places.set(key, result.length);
      result.push(item);
      take(item, meta);
    }
    if (sliceIsOver()) yield;
  }
  return result;
}
