import {
  addBounds,
  maxEstimate,
  multiplyBounds,
  noCost,
  scaleBounds,
  type Bounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import { costOfCharacter, elementNode } from '#shared/cel/libraries/sizes.ts';

export function estimateReplace(
  context: EstimateContext,
  target: EstimateNode | undefined,
  [part, by]: readonly EstimateNode[],
): CallEstimate | undefined {
  if (target === undefined || part === undefined || by === undefined) return undefined;
  const [whole, out, into] = [context.sizeOf(target), context.sizeOf(part), context.sizeOf(by)];
  const most =
    out.min === 0
      ? [oneMore(whole.max), whole.max]
      : into.max <= out.min
        ? [0, whole.max]
        : [Math.ceil(whole.max / out.min), 0];
  const least =
    out.max === 0
      ? [oneMore(whole.min), whole.min]
      : out.max <= into.min
        ? [0, whole.min]
        : [Math.ceil(whole.min / out.max), 0];
  const replaced: Bounds = { min: least[0] ?? 0, max: most[0] ?? 0 };
  const kept: Bounds = { min: least[1] ?? 0, max: most[1] ?? 0 };
  return { cost: scaleBounds(whole, 2 * costOfCharacter), resultSize: addBounds(multiplyBounds(replaced, into), kept) };
}

function oneMore(count: number): number {
  return count < maxEstimate ? count + 1 : count;
}

export function estimateSplit(
  context: EstimateContext,
  target: EstimateNode | undefined,
  args: readonly EstimateNode[],
): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = context.sizeOf(target);
  const limit = args[1]?.expression;
  const literal =
    limit?.kind === 'literal' && (typeof limit.value === 'number' || typeof limit.value === 'bigint')
      ? Number(limit.value)
      : undefined;
  const max = literal === undefined ? size.max : literal < 0 ? maxEstimate : literal;
  return { cost: scaleBounds(size, 2 * costOfCharacter), resultSize: { min: 0, max } };
}

export function estimateJoin(
  context: EstimateContext,
  target: EstimateNode | undefined,
  [separator]: readonly EstimateNode[],
): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const items = context.sizeOf(target);
  const element = elementNode(target);
  let size = element === undefined ? noCost : multiplyBounds(items, context.sizeOf(element));
  if (separator !== undefined)
    size = addBounds(
      size,
      multiplyBounds(context.sizeOf(separator), { min: Math.max(0, items.min - 1), max: Math.max(0, items.max - 1) }),
    );
  return { cost: scaleBounds(size, costOfCharacter), resultSize: size };
}
