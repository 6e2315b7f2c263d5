import type { Expression } from '../syntax/expression.ts';
import type { CelType } from '../values/cel-type.ts';
import type { Value } from '../values/value.ts';
import type { Overload } from './library.ts';

/** An overload of an environment. */
export interface OverloadEntry {
  readonly overload: Overload;
  /** The names of its type parameters. */
  readonly parameters: readonly string[];
}

/** An expression with its types; names are the full ones, and qualified names are identifiers. */
export interface Checked {
  readonly expression: Expression;
  /** The type of each expression by id. */
  readonly types: readonly (CelType | undefined)[];
  /** The overloads that each call may run, by id: several if the types of the arguments do not decide. */
  readonly overloads: ReadonlyMap<number, readonly OverloadEntry[]>;
  /** The values of identifiers that name types or constants, by id. */
  readonly constants: ReadonlyMap<number, Value>;
  readonly offsets: readonly number[];
  readonly resultType: CelType;
}
