import {
  addBounds,
  exactly,
  maxEstimate,
  multiplyBounds,
  scaleBounds,
  unbounded,
  type Bounds,
  type CallEstimate,
  type EstimateNode,
} from '../contract/estimate.ts';

/** What reading a character costs. */
const perCharacter = 0.1;
/** What a character of a regular expression costs, for each that it is matched with. */
const perPatternCharacter = 0.25;

/**
 * What cel-go itself says of calls that cost more than 1, without their arguments (checker/cost.go); undefined for all
 * others.
 */
export function standardEstimate(
  overload: string,
  target: EstimateNode | undefined,
  args: readonly EstimateNode[],
): CallEstimate | undefined {
  const [a, b] = args.map(({ computedSize }) => computedSize ?? unbounded);
  const receiver = target === undefined ? undefined : (target.computedSize ?? unbounded);
  switch (overload) {
    case 'string_format':
      return receiver === undefined ? undefined : reading(receiver);
    case 'string_to_bytes':
      return a === undefined
        ? undefined
        : { ...reading(a), resultSize: { min: a.min, max: Math.min(maxEstimate, a.max * 4) } };
    case 'bytes_to_string':
      return a === undefined ? undefined : { ...reading(a), resultSize: { min: Math.floor(a.min / 4), max: a.max } };
    // What has no bound comes out as none at all: cel-go's integers overflow to 0.
    case 'strings_quote':
      return a === undefined
        ? undefined
        : { ...reading(a), resultSize: { min: a.min + 2, max: a.max >= maxEstimate ? 0 : a.max * 2 + 2 } };
    case 'starts_with_string':
    case 'ends_with_string':
      return a === undefined ? undefined : reading(a);
    case 'in_list':
      return b === undefined ? undefined : { cost: b };
    case 'matches_string':
      if (receiver === undefined || a === undefined) return undefined;
      return {
        cost: multiplyBounds(
          scaleBounds(addBounds(receiver, exactly(1)), perCharacter),
          scaleBounds(a, perPatternCharacter),
        ),
      };
    case 'contains_string':
      return receiver === undefined || a === undefined
        ? undefined
        : { cost: multiplyBounds(scaleBounds(receiver, perCharacter), scaleBounds(a, perCharacter)) };
    case 'add_string':
    case 'add_bytes':
    case 'add_list': {
      if (a === undefined || b === undefined) return undefined;
      const resultSize = addBounds(a, b);
      return { cost: overload === 'add_list' ? exactly(1) : scaleBounds(resultSize, perCharacter), resultSize };
    }
    case 'less_string':
    case 'greater_string':
    case 'less_equals_string':
    case 'greater_equals_string':
    case 'less_bytes':
    case 'greater_bytes':
    case 'less_equals_bytes':
    case 'greater_equals_bytes':
    case 'equals':
    case 'not_equals': {
      if (a === undefined || b === undefined) return undefined;
      const max = Math.min(a.max, b.max);
      return { cost: scaleBounds({ min: max > 0 ? 1 : 0, max }, perCharacter) };
    }
    default:
      return undefined;
  }
}

function reading(size: Bounds): CallEstimate {
  return { cost: scaleBounds(size, perCharacter) };
}
