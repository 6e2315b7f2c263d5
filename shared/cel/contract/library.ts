import type { Macro } from '#shared/cel/syntax/macro.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';
import type { Value } from '#shared/cel/values/value.ts';
import type { FunctionDeclaration } from './function-declaration.ts';
import type { Validator } from './validator.ts';

/** The declarations that a library adds to an environment. A library is data, so several environments can share it. */
export interface Library {
  /** The name of the library in cel-go, such as `cel.lib.ext.strings` or `kubernetes.quantity`. */
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions can name, such as `kubernetes.Quantity`. */
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
