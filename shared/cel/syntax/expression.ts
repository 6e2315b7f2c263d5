import type { Value } from '#shared/cel/values/value.ts';

/** A node of a parsed expression. Ids are the same as in cel-go; positions, types and references are found by id. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension;

export interface Literal {
  readonly kind: 'literal';
  readonly id: number;
  readonly value: Value;
}
export interface Identifier {
  readonly kind: 'identifier';
  readonly id: number;
  readonly name: string;
}
/** `operand.field`, or `has(operand.field)`. */
export interface Select {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}
/** Operators are calls too (`_+_`); `target` is the receiver of `target.function(args)`. */
export interface Call {
  readonly kind: 'call';
  readonly id: number;
  readonly function: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}
/** `optional` holds the indices of elements written `[?e]`. */
export interface ListLiteral {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expression[];
  readonly optional: readonly number[];
}
export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}
export interface MapLiteral {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}
export interface StructLiteral {
  readonly kind: 'struct';
  readonly id: number;
  readonly name: string;
  readonly fields: readonly StructField[];
}

/** The expansion of macros such as `all` and `map`: a fold over a list's elements or a map's keys. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expression;
  /** The variable for the element; with `variable2`, for the index or key. */
  readonly variable: string;
  /** The variable for the element or value in two-variable comprehensions; else empty. */
  readonly variable2: string;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}
