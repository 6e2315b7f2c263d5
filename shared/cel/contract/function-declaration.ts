import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';
import type { Value } from '#shared/cel/values/value.ts';
import type { CallEstimate, EstimateContext, EstimateNode } from './estimate.ts';

export interface Overload {
  /** The id of the overload in cel-go, unique in an environment: `string_char_at_int`. */
  readonly id: string;
  /** Whether the overload is called as `receiver.name(args)`; the receiver is then the first parameter. */
  readonly member?: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /**
   * Takes values of the parameters' types (for lists and maps only the first entry is checked, as in cel-go). Returns a
   * value or a CelError; never throws. Arguments are never errors, unless `nonStrict`.
   */
  implementation?(this: void, ...args: Value[]): Value;
  /**
   * The implementation for evaluations that run in slices; only for functions whose work grows with the size of strings
   * or lists.
   */
  steps?(this: void, ...args: Value[]): Steps<Value>;
  /** Whether the function is also called with arguments that are errors. */
  readonly nonStrict?: boolean;
  /** The cost of a call at run time; the receiver is the first argument. The result may be an error. */
  cost?(this: void, args: readonly Value[], result: Value): number;
  /**
   * The static estimate: bounds of a call's cost and of its result's size, without the values; undefined if unknown.
   */
  estimate?(
    this: void,
    context: EstimateContext,
    target: EstimateNode | undefined,
    args: readonly EstimateNode[],
  ): CallEstimate | undefined;
}

/** A function with its overloads. A library can add overloads to a function of another library by the same name. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Whether cel-go stops at the first operand that fails, and charges nothing unless that is the last one. */
  readonly oneByOne?: boolean;
  /**
   * The index of the argument that is a pattern; the receiver has index 0. An invalid literal pattern is an error when
   * the program is planned.
   */
  readonly patternArgument?: number;
  /**
   * The implementation that all overloads share, if they do. It is called with arguments of any type, and returns an
   * error if it has no overload for them.
   */
  implementation?(this: void, ...args: Value[]): Value;
  /** The implementation for evaluations that run in slices. */
  steps?(this: void, ...args: Value[]): Steps<Value>;
  /**
   * The cost of a call; used before the overload's own `cost`, and also if the overload is only known at run time. If
   * it returns undefined, the overload's own cost applies, or 1 if the overload has none.
   */
  cost?(this: void, args: readonly Value[], result: Value): number | undefined;
  /** The cost of a call whose overload is only known at run time; absent if that cost is 1. */
  unknownCost?(this: void, args: readonly Value[]): number;
  /** Like `cost`, for the static estimate; returns undefined if it knows no estimate. */
  estimate?(
    this: void,
    context: EstimateContext,
    target: EstimateNode | undefined,
    args: readonly EstimateNode[],
  ): CallEstimate | undefined;
}
