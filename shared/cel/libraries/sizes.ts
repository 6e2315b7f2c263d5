import { byteLength } from '#shared/apimachinery/text/go-format.ts';
import {
  exactly,
  scaleBounds,
  type Bounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import { costSize, isPlain, textSize } from '#shared/cel/values/sizes.ts';
import { CelList, CelMap, type Value } from '#shared/cel/values/value.ts';

/** The cost of reading one character of a string. */
export const costOfCharacter = 0.1;
/** The cost of one character of a regular expression, for each ten characters that it is matched against. */
export const costOfRegexCharacter = 0.25;
/** The cost of creating a list. */
export const costOfList = 10;
/** The cost of creating a struct. */
export const costOfStruct = 40;

/**
 * The UTF-16 offset at which the character with an index begins; the length of the text for the index after the last
 * character.
 */
export function unitOf(text: string, index: number): number {
  if (isPlain(text)) return index;
  let unit = 0;
  for (let at = 0; at < index; at++) unit += isPair(text, unit) ? 2 : 1;
  return unit;
}

/** The index of the character that begins at a UTF-16 offset. */
export function indexOfUnit(text: string, unit: number): number {
  return textSize(text.slice(0, unit));
}

function isPair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
}

/** The cost of reading a value `times` times: a string, or any other value with a size. */
export function costOfTraversal(value: Value, times = 1): number {
  return Math.ceil(costSize(value) * times * costOfCharacter);
}

/** The cost of reading a value with all values inside it. Strings are counted in bytes here, as upstream does. */
export function costOfWhole(value: Value): number {
  if (typeof value === 'string') return Math.trunc(byteLength(value) * costOfCharacter);
  if (value instanceof Uint8Array) return Math.trunc(value.length * costOfCharacter);
  let cost = 0;
  if (value instanceof CelList) {
    for (let index = 0; index < value.size; index++) cost += costOfWhole(value.get(index));
    return cost;
  }
  if (value instanceof CelMap) {
    for (const key of value.keys()) cost += costOfWhole(key) + costOfWhole(value.find(key) ?? null);
    return cost;
  }
  return 1;
}

/** The cost function of functions that always cost 1. */
export const costsOne = (): number => 1;
/** The estimate that goes with {@link costsOne}. */
export const estimatesOne = (): CallEstimate => ({ cost: exactly(1) });

/** Returns the cost function of functions that read the argument at `place` `times` times. */
export const costsTraversal =
  (times = 1, place = 0) =>
  (args: readonly Value[]): number =>
    costOfTraversal(args[place] ?? null, times);

/** Returns the estimate of functions that read the receiver, or without one the first argument, `times` times. */
export const estimatesTraversal =
  (times = 1) =>
  (
    context: EstimateContext,
    target: EstimateNode | undefined,
    args: readonly EstimateNode[],
  ): CallEstimate | undefined => {
    const node = target ?? args[0];
    return node === undefined ? undefined : { cost: traversalBounds(context, node, times) };
  };

export function traversalBounds(context: EstimateContext, node: EstimateNode, times = 1): Bounds {
  return scaleBounds(context.sizeOf(node), costOfCharacter * times);
}

/** A node for the elements of a list; the environment may know their size by the node's path. */
export function elementNode(list: EstimateNode): EstimateNode | undefined {
  const [type] = list.type.parameters;
  return type === undefined
    ? undefined
    : {
        expression: list.expression,
        type,
        path: list.path.length === 0 ? [] : [...list.path, '@items'],
        computedSize: undefined,
      };
}
