import {
  addBounds,
  exactly,
  multiplyBounds,
  scaleBounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { costOfCharacter, costOfWhole, elementNode } from './sizes.ts';

/**
 * The cost of functions that visit every element of a list once (`sum`, `indexOf`), or every character of a string.
 */
export function costOfSearch([list]: readonly Value[]): number {
  return list === undefined ? 0 : costOfWhole(list);
}

/** The estimate that goes with {@link costOfSearch}. */
export function estimateSearch(context: EstimateContext, target: EstimateNode | undefined): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const element = elementNode(target);
  const size = context.sizeOf(target);
  if (element === undefined) return { cost: scaleBounds(size, costOfCharacter) };
  const ofText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = ofText ? addBounds(exactly(1), scaleBounds(context.sizeOf(element), costOfCharacter)) : exactly(1);
  return { cost: multiplyBounds(size, each) };
}
