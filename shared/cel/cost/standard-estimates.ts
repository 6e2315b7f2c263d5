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
} from '#shared/cel/contract/estimate.ts';

/** The cost of reading one character. */
const perCharacter = 0.1;
/** The cost of one character of a regular expression; it is multiplied by the cost of reading the text. */
const perPatternCharacter = 0.25;

/** The sizes of a call's operands; undefined if the call has no such operand. */
interface OperandSizes {
  readonly receiver: Bounds | undefined;
  readonly first: Bounds | undefined;
  readonly second: Bounds | undefined;
}

type Estimate = (sizes: OperandSizes) => CallEstimate | undefined;

const ofReceiver: Estimate = ({ receiver }) => receiver && reading(receiver);
const ofFirst: Estimate = ({ first }) => first && reading(first);

const toBytes: Estimate = ({ first }) =>
  first && { ...reading(first), resultSize: { min: first.min, max: Math.min(maxEstimate, first.max * 4) } };

const toText: Estimate = ({ first }) =>
  first && { ...reading(first), resultSize: { min: Math.floor(first.min / 4), max: first.max } };

/** An unbounded maximum size becomes 0, as it overflows in cel-go. */
const quote: Estimate = ({ first }) =>
  first && {
    ...reading(first),
    resultSize: { min: first.min + 2, max: first.max >= maxEstimate ? 0 : first.max * 2 + 2 },
  };

const matches: Estimate = ({ receiver, first }) =>
  receiver &&
  first && {
    cost: multiplyBounds(
      scaleBounds(addBounds(receiver, exactly(1)), perCharacter),
      scaleBounds(first, perPatternCharacter),
    ),
  };

const contains: Estimate = ({ receiver, first }) =>
  receiver && first && { cost: multiplyBounds(scaleBounds(receiver, perCharacter), scaleBounds(first, perCharacter)) };

const addTexts: Estimate = ({ first, second }) => {
  if (first === undefined || second === undefined) return undefined;
  const resultSize = addBounds(first, second);
  return { cost: scaleBounds(resultSize, perCharacter), resultSize };
};

const addLists: Estimate = ({ first, second }) =>
  first && second && { cost: exactly(1), resultSize: addBounds(first, second) };

const compare: Estimate = ({ first, second }) => {
  if (first === undefined || second === undefined) return undefined;
  const max = Math.min(first.max, second.max);
  return { cost: scaleBounds({ min: max > 0 ? 1 : 0, max }, perCharacter) };
};

const estimates: ReadonlyMap<string, Estimate> = new Map([
  ['string_format', ofReceiver],
  ['string_to_bytes', toBytes],
  ['bytes_to_string', toText],
  ['strings_quote', quote],
  ['starts_with_string', ofFirst],
  ['ends_with_string', ofFirst],
  ['in_list', ({ second }) => second && { cost: second }],
  ['matches_string', matches],
  ['contains_string', contains],
  ['add_string', addTexts],
  ['add_bytes', addTexts],
  ['add_list', addLists],
  ['less_string', compare],
  ['greater_string', compare],
  ['less_equals_string', compare],
  ['greater_equals_string', compare],
  ['less_bytes', compare],
  ['greater_bytes', compare],
  ['less_equals_bytes', compare],
  ['greater_equals_bytes', compare],
  ['equals', compare],
  ['not_equals', compare],
]);

/**
 * cel-go's own estimates for calls that cost more than 1, without the cost of their operands (checker/cost.go);
 * undefined for all other calls.
 */
export function standardEstimate(
  overload: string,
  target: EstimateNode | undefined,
  args: readonly EstimateNode[],
): CallEstimate | undefined {
  const [first, second] = args.map(({ computedSize }) => computedSize ?? unbounded);
  const receiver = target === undefined ? undefined : (target.computedSize ?? unbounded);
  return estimates.get(overload)?.({ receiver, first, second });
}

function reading(size: Bounds): CallEstimate {
  return { cost: scaleBounds(size, perCharacter) };
}
