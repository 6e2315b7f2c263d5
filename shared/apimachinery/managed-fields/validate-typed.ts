import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { elementOfKey, type ListView, type MapView, type TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { TypedError, TypedValue } from './typed-value.ts';
import { formOf, itemElement, undeclaredTypeText, unexpectedKindText, scalarError, TypedWalk } from './typed-walk.ts';

/**
 * The violations of the type, in the reference's words (structured-merge-diff typed.AsTyped). `allowDuplicates`: items
 * of sets and associative lists may repeat. A level reports nothing after its first unknown field or item without keys.
 */
export function* validateTyped(
  { value, type }: TypedValue,
  { allowDuplicates }: { readonly allowDuplicates: boolean },
): Steps<TypedError[]> {
  const walk = new Validation(allowDuplicates);
  const below = walk.value(type, value);
  if (below !== undefined) yield* below;
  return walk.errors;
}

class Validation extends TypedWalk {
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    super();
    this.#allowDuplicates = allowDuplicates;
  }

  /** Validates the value; returns the steps that validate what is below it, if it is an object or a list. */
  value(type: TypeView, value: JsonValue): Steps<void> | undefined {
    const form = formOf(type, value);
    if (form === 'map' && type.map !== undefined) {
      if (isObject(value)) return this.#map(type.map, value);
      if (value !== null) this.error(unexpectedKindText('map', value));
    } else if (form === 'list' && type.list !== undefined) {
      if (Array.isArray(value)) return this.#list(type.list, value);
      if (value !== null) this.error(unexpectedKindText('list', value));
    } else if (form === 'scalar' && type.scalar !== undefined) {
      const error = scalarError(type.scalar, value);
      if (error !== undefined) this.error(error);
    } else this.error(undeclaredTypeText(type));
    return undefined;
  }

  *#map(map: MapView, value: JsonObject): Steps<void> {
    for (const key of yield* this.#keysOf(map, value)) {
      const field = map.field(key);
      const type = field?.type ?? map.element;
      // The path stack is only for errors: valid leaves do not need it.
      if (
        type?.list === undefined &&
        type?.map === undefined &&
        type?.scalar !== undefined &&
        scalarError(type.scalar, getKey(value, key)) === undefined
      )
        continue;
      this.enter(elementOfKey(field, key));
      const below =
        type === undefined
          ? this.error('field not declared in schema')
          : this.value(type, getKey(value, key) as JsonValue);
      if (below !== undefined) yield* below;
      this.leave();
      if (sliceIsOver()) yield;
      if (type === undefined) return;
    }
  }

  /**
   * The keys in the order in which to validate them. The reference iterates a Go map, in random order, and stops at the
   * first unknown field. In sorted order, the errors before that field are those that it reports in most cases.
   */
  *#keysOf(map: MapView, value: JsonObject): Steps<readonly string[]> {
    const keys = Object.keys(value);
    if (sliceIsOver()) yield;
    return map.element !== undefined || keys.every((key) => map.field(key) !== undefined)
      ? keys
      : yield* sortInSteps(keys, compareUtf8);
  }

  *#list(list: ListView, value: readonly JsonValue[]): Steps<void> {
    const seen = new Set<string>();
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      const element = list.atomic ? PathElement.index(i) : itemElement(list, item);
      if (typeof element === 'string') {
        this.error(`element ${i}: ${element}`);
        return;
      }
      if (!list.atomic && !this.#allowDuplicates) {
        if (seen.has(element.text)) this.error(`duplicate entries for key ${element.toString()}`);
        seen.add(element.text);
      }
      this.enter(element);
      const below = this.value(list.items, item);
      if (below !== undefined) yield* below;
      this.leave();
      if (sliceIsOver()) yield;
    }
  }
}
