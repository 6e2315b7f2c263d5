import {
  addBounds,
  exactly,
  maxEstimate,
  multiplyBounds,
  scaleBounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import type { Overload } from '#shared/cel/contract/function-declaration.ts';
import { costSize, smallerSize } from '#shared/cel/values/sizes.ts';
import type { Value } from '#shared/cel/values/value.ts';

/** The cost of reading one character of a string, and of one character of a pattern. */
export const stringFactor = 0.1;
export const patternFactor = 0.25;

type Costs = Pick<Overload, 'cost' | 'estimate'>;

/** `startsWith` and `endsWith`: at run time the size of the receiver counts, in the estimate that of the argument. */
export const prefixCosts: Costs = {
  cost: (args) => Math.ceil(costSize(args[0] as Value) * stringFactor),
  estimate: (context, _target, [other]) =>
    other === undefined ? undefined : { cost: scaleBounds(context.sizeOf(other), stringFactor) },
};

export const containsCosts: Costs = {
  cost: (args) =>
    Math.ceil(costSize(args[0] as Value) * stringFactor) * Math.ceil(costSize(args[1] as Value) * stringFactor),
  estimate(context, target, [part]) {
    if (target === undefined || part === undefined) return undefined;
    return {
      cost: multiplyBounds(
        scaleBounds(context.sizeOf(target), stringFactor),
        scaleBounds(context.sizeOf(part), stringFactor),
      ),
    };
  },
};

export const matchesCosts: Costs = {
  cost: (args) =>
    Math.ceil((1 + costSize(args[0] as Value)) * stringFactor) * Math.ceil(costSize(args[1] as Value) * patternFactor),
  estimate(context, target, [pattern]) {
    if (target === undefined || pattern === undefined) return undefined;
    const text = scaleBounds(addBounds(context.sizeOf(target), exactly(1)), stringFactor);
    return { cost: multiplyBounds(text, scaleBounds(context.sizeOf(pattern), patternFactor)) };
  },
};

export const inListCosts: Costs = {
  cost: (args) => costSize(args[1] as Value),
  estimate: (context, _target, [, list]) =>
    list === undefined ? undefined : { cost: scaleBounds(context.sizeOf(list), 1) },
};

/** The cost of a comparison, which stops at the end of the shorter operand. */
export const compareCosts: Costs = {
  cost: (args) => Math.ceil(smallerSize(args[0] as Value, args[1] as Value) * stringFactor),
  estimate(context, _target, [a, b]) {
    if (a === undefined || b === undefined) return undefined;
    const max = Math.min(context.sizeOf(a).max, context.sizeOf(b).max);
    return { cost: scaleBounds({ min: max > 0 ? 1 : 0, max }, stringFactor) };
  },
};

/**
 * The cost of joining strings or bytes, which are copied. The estimator itself records the sizes of the elements.
 */
export const joinCosts: Costs = {
  cost: (args) => Math.ceil((costSize(args[0] as Value) + costSize(args[1] as Value)) * stringFactor),
  estimate: (context, _target, [a, b]) => sum(context, a, b, (size) => scaleBounds(size, stringFactor)),
};

export const addListCosts: Costs = {
  estimate: (context, _target, [a, b]) => sum(context, a, b, () => exactly(1)),
};

function sum(
  context: EstimateContext,
  a: EstimateNode | undefined,
  b: EstimateNode | undefined,
  cost: (size: { min: number; max: number }) => { min: number; max: number },
): CallEstimate | undefined {
  if (a === undefined || b === undefined) return undefined;
  const resultSize = addBounds(context.sizeOf(a), context.sizeOf(b));
  return { cost: cost(resultSize), resultSize };
}

export const stringToBytesCosts: Costs = {
  cost: (args) => Math.ceil(costSize(args[0] as Value) * stringFactor),
  estimate: (context, _target, [text]) =>
    traverse(context, text, ({ min, max }) => ({ min, max: max >= maxEstimate ? maxEstimate - 4 : max * 4 })),
};

export const bytesToStringCosts: Costs = {
  cost: (args) => Math.ceil(costSize(args[0] as Value) * stringFactor),
  estimate: (context, _target, [bytes]) =>
    traverse(context, bytes, ({ min, max }) => ({ min: Math.floor(min / 4), max })),
};

function traverse(
  context: EstimateContext,
  node: EstimateNode | undefined,
  result: (size: { min: number; max: number }) => { min: number; max: number },
): CallEstimate | undefined {
  if (node === undefined) return undefined;
  const size = context.sizeOf(node);
  return { cost: scaleBounds(size, stringFactor), resultSize: result(size) };
}
