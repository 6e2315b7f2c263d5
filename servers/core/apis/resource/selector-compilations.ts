import type { ExpressionCompilers } from '#servers/core/validation/expressions.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import type { CompiledSelector } from '#shared/cel/uses/devices.ts';

/** Most requests, selectors and the like in one list (pkg/apis/resource, DeviceRequestsMaxSize and others). */
export const maxItems = 32;
/** Most alternatives of a request (FirstAvailableDeviceRequestMaxSize). */
export const maxAlternatives = 8;
/** Maximum length of a selector's expression (pkg/apis/resource, CELSelectorExpressionMaxLength). */
export const maxExpressionBytes = 10 * 1024;

/**
 * The compiled selectors of one object. An object may hold hundreds, and each takes up to some milliseconds to compile,
 * so they are compiled in steps before the object is validated in one go.
 */
export class SelectorCompilations {
  readonly #expressions: ExpressionCompilers;
  readonly #stored: boolean;
  readonly #known = new Map<string, CompiledSelector | ExpressionError>();

  /** @param stored whether the object is stored, so that its selectors may use CEL features that new ones may not */
  constructor(expressions: ExpressionCompilers, stored = false) {
    this.#expressions = expressions;
    this.#stored = stored;
  }

  /** Compiles selectors in steps before validation needs them. */
  *prepare(selectors: readonly JsonObject[]): Steps<void> {
    for (const selector of selectors) {
      const text = stringAt(selector, 'cel', 'expression');
      if (Buffer.byteLength(text) <= maxExpressionBytes && !this.#known.has(text))
        this.#known.set(text, yield* this.#expressions.selectors().compile(text, this.#stored));
      if (sliceIsOver()) yield;
    }
  }

  of(text: string): CompiledSelector | ExpressionError {
    let compiled = this.#known.get(text);
    if (compiled === undefined)
      this.#known.set(text, (compiled = atOnce(this.#expressions.selectors().compile(text, this.#stored))));
    return compiled;
  }
}

/** The selectors of a claim's spec that are validated: what lies in too long a list is not. */
export function selectorsOfClaim(spec: JsonObject | undefined): readonly JsonObject[] {
  return withinLimit(objectsAt(spec, 'devices', 'requests')).flatMap((request) =>
    [objectAt(request, 'exactly'), ...withinLimit(objectsAt(request, 'firstAvailable'), maxAlternatives)].flatMap(
      (devices) => withinLimit(objectsAt(devices, 'selectors')),
    ),
  );
}

/** The items of a list that is validated; none of one with too many. */
export function withinLimit(items: readonly JsonObject[], max = maxItems): readonly JsonObject[] {
  return items.length > max ? [] : items;
}
