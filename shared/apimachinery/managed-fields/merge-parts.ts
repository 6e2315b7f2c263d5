import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ListView, MapView, TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { scalarError } from './typed-walk.ts';

export type MergeSide = JsonValue | undefined;

export function asObject(value: MergeSide): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Both sides of a map that is merged key by key; undefined for an atomic map, or if both sides are empty. */
export function mapParts(
  { map }: TypeView,
  live: MergeSide,
  applied: MergeSide,
):
  | { readonly map: MapView; readonly left: JsonObject | undefined; readonly right: JsonObject | undefined }
  | undefined {
  const [left, right] = [asObject(live), asObject(applied)];
  return map === undefined || map.atomic || (isEmpty(left) && isEmpty(right)) ? undefined : { map, left, right };
}

/** As {@link mapParts}, for a list. */
export function listParts(
  { list }: TypeView,
  live: MergeSide,
  applied: MergeSide,
): { readonly list: ListView; readonly left: readonly JsonValue[]; readonly right: readonly JsonValue[] } | undefined {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(applied) ? applied : [];
  return list === undefined || list.atomic || (left.length === 0 && right.length === 0)
    ? undefined
    : { list, left, right };
}

/** Whether the type allows only scalars and both sides fit it, as most fields do; an applied null does not. */
export function areScalarsOnly({ scalar, list, map }: TypeView, left: MergeSide, right: MergeSide): boolean {
  return (
    scalar !== undefined &&
    list === undefined &&
    map === undefined &&
    right !== null &&
    scalarError(scalar, left) === undefined &&
    scalarError(scalar, right) === undefined
  );
}

function isEmpty(object: JsonObject | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0;
}

/** Writes merged members into the live map, which is copied when the first member differs. */
export class MapMerge {
  readonly #live: JsonObject | undefined;
  #out: JsonObject | undefined;
  /** Kept up to date by `take`, which sees every key: listing the keys of a large result would take long. */
  #isEmpty = true;

  constructor(live: JsonObject | undefined) {
    this.#live = live;
    this.#out = live === undefined ? {} : undefined;
  }

  /** Whether no merged member differs from the live one so far. */
  get isLive(): boolean {
    return this.#out === undefined;
  }

  /** Sets the copy to write to, which `take` would otherwise make in one go. */
  writeTo(copy: JsonObject): void {
    this.#out = copy;
  }

  take(key: string, left: MergeSide, merged: MergeSide): void {
    if (merged !== undefined) this.#isEmpty = false;
    if (merged === left) return;
    this.#out ??= { ...this.#live };
    if (merged === undefined) delete this.#out[key];
    else setKey(this.#out, key, merged);
  }

  result(): MergeSide {
    if (this.#out === undefined) return this.#live;
    return this.#isEmpty ? undefined : this.#out;
  }
}
