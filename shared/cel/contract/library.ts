import type { CallEstimate, EstimateContext, EstimateNode } from './estimate.ts';
import type { Validator } from './validator.ts';
import type { Macro } from '../syntax/macro.ts';
import type { CelType } from '../values/cel-type.ts';
import type { Value } from '../values/value.ts';
import type { Steps } from '../../apimachinery/slices.ts';

/** The declarations that a library adds to an environment. It is data, so several environments can share it. */
export interface Library {
  /** cel-go's name of it, `cel.lib.ext.strings` or `kubernetes.quantity`. */
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that may be named in expressions, as `kubernetes.Quantity`. */
  readonly types?: readonly CelType[];
  readonly variables?: readonly VariableDeclaration[];
  /** Validators of expressions; they run after type checking. */
  readonly validators?: readonly Validator[];
}

export interface VariableDeclaration {
  readonly name: string;
  readonly type: CelType;
  /** The value of a constant. */
  readonly value?: Value;
}

/** A function with its overloads. Libraries may add overloads to functions of others, by the same name. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** cel-go evaluates the operands one by one, and charges nothing where one fails before the last. */
  readonly oneByOne?: boolean;
  /**
   * Which argument is a pattern, the receiver being the first; one that is written out and wrong fails when the program
   * is made.
   */
  readonly patternArgument?: number;
  /**
   * For all overloads, where they share one; it gets arguments of any types and says itself what it has no overload
   * for.
   */
  implementation?(this: void, ...args: Value[]): Value;
  /** The implementation for evaluations that run in slices. */
  steps?(this: void, ...args: Value[]): Steps<Value>;
  /**
   * Asked before the overload's own, also for calls whose overload only turns out when they run; undefined is the
   * overload's own, and without that 1.
   */
  cost?(this: void, args: readonly Value[], result: Value): number | undefined;
  /** What a call costs whose overload only turns out when it runs, where that is not 1. */
  unknownCost?(this: void, args: readonly Value[]): number;
  /** As `cost`, for the static estimate; undefined where it knows none. */
  estimate?(
    this: void,
    context: EstimateContext,
    target: EstimateNode | undefined,
    args: readonly EstimateNode[],
  ): CallEstimate | undefined;
}

export interface Overload {
  /** Unique in an environment, cel-go's: `string_char_at_int`. */
  readonly id: string;
  /** Called as `first.name(others)`; the receiver is the first parameter. */
  readonly member?: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /**
   * Gets values of the parameters' types (of lists and maps the first entry is looked at, as in cel-go) and returns a
   * value or a CelError; it never throws. Arguments are never errors, unless `nonStrict`.
   */
  implementation?(this: void, ...args: Value[]): Value;
  /**
   * The same for evaluations that run in slices: only for functions whose work grows with the size of strings or lists.
   */
  steps?(this: void, ...args: Value[]): Steps<Value>;
  /** Gets errors among its arguments. */
  readonly nonStrict?: boolean;
  /** What a call costs at run time; the receiver is the first argument. The result may be an error. */
  cost?(this: void, args: readonly Value[], result: Value): number;
  /**
   * Bounds of what a call costs and of the result's size, before anything is known of the values; undefined where it
   * knows none.
   */
  estimate?(
    this: void,
    context: EstimateContext,
    target: EstimateNode | undefined,
    args: readonly EstimateNode[],
  ): CallEstimate | undefined;
}
