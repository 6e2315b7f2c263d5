import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';
import type { Value } from '#shared/cel/values/value.ts';
import type { Overload } from './function-declaration.ts';

/** An overload of an environment. */
export interface OverloadEntry {
  readonly overload: Overload;
  /** The names of its type parameters. */
  readonly parameters: readonly string[];
}

/** A checked expression. Names in it are fully qualified, and each qualified name is one identifier. */
export interface Checked {
  readonly expression: Expression;
  /** The type of each expression by id. */
  readonly types: readonly (CelType | undefined)[];
  /** The candidate overloads of each call, by id: several if the argument types do not select one. */
  readonly overloads: ReadonlyMap<number, readonly OverloadEntry[]>;
  /** The values of identifiers that name types or constants, by id. */
  readonly constants: ReadonlyMap<number, Value>;
  readonly offsets: readonly number[];
  readonly resultType: CelType;
}
