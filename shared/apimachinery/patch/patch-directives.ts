import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import { goPrint, goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { DIRECTIVE } from './cleaned-patch.ts';
import { badArgument, identity, noMergeKey } from './merge-list.ts';
import { PatchError } from './patch-error.ts';

const RETAIN_KEYS = '$retainKeys';
export const SET_ORDER = '$setElementOrder';
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

export function replaceOrDelete(directive: JsonValue, patch: JsonObject): JsonObject {
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
export function directiveTarget(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw new PatchError(
    'badRequest',
    `invalid patch format of ${prefix === SET_ORDER ? 'setElementOrder list' : 'primitive list'}`,
  );
}

/** `$retainKeys` names all keys that stay; every key that the patch sets must be among them. */
export function retainKeys(result: JsonObject, patch: JsonObject): void {
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

/** The items of the patch must come in the order that `$setElementOrder` states. */
export function requireOrder(changes: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
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

/** Items with `$patch: delete` remove their match; one with `$patch: replace` makes the other items the whole list. */
export function applyItemDirectives(
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
