import type { Value } from '#shared/cel/values/value.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';

/** A kind of call that is replaced while an expression is parsed. */
export interface Macro {
  readonly name: string;
  /** Whether the macro is called on a target, `target.name(args)`. */
  readonly receiver: boolean;
  /** The number of arguments; undefined for any number. */
  readonly args: number | undefined;
  /** The expansion of the call; undefined if it is an ordinary call. @throws MacroError */
  expand(make: ExpressionFactory, target: Expression | undefined, args: readonly Expression[]): Expression | undefined;
}

/** Thrown by a macro that cannot be expanded; the error is shown at the expression with this id. */
export class MacroError extends Error {
  readonly expressionId: number | undefined;

  constructor(message: string, expressionId?: number) {
    super(message);
    this.expressionId = expressionId;
  }
}

/** Makes the expressions of a macro; each gets a new id with the position of the macro. */
export interface ExpressionFactory {
  literal(value: Value): Expression;
  identifier(name: string): Expression;
  /** The variable that comprehensions accumulate in; its name cannot be written in an expression. */
  accumulator(): Expression;
  readonly accumulatorName: string;
  select(operand: Expression, field: string): Expression;
  presenceTest(operand: Expression, field: string): Expression;
  call(name: string, ...args: Expression[]): Expression;
  memberCall(name: string, target: Expression, ...args: Expression[]): Expression;
  list(...elements: Expression[]): Expression;
  map(...entries: MapEntry[]): Expression;
  mapEntry(key: Expression, value: Expression, optional?: boolean): MapEntry;
  struct(name: string, ...fields: StructField[]): Expression;
  structField(name: string, value: Expression, optional?: boolean): StructField;
  comprehension(parts: {
    range: Expression;
    variable: string;
    variable2?: string;
    accumulator: string;
    init: Expression;
    condition: Expression;
    step: Expression;
    result: Expression;
  }): Expression;
  /** A copy with new ids, for expressions that occur in the result twice. */
  copy(expression: Expression): Expression;
}
