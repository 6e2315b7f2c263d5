import type { Macro } from './macro.ts';
import { macroKey } from './macro-key.ts';

/** The macros and optional syntax of an environment. */
export interface Syntax {
  readonly macros: ReadonlyMap<string, Macro>;
  /** Whether `a.?b`, `a[?b]` and `[?c]` are taken. */
  readonly optionals: boolean;
}

/** The macros of an environment, by name and shape; a later one stands for an earlier one. */
export function macroTable(macros: Iterable<Macro>): ReadonlyMap<string, Macro> {
  return new Map(Array.from(macros, (macro) => [macroKey(macro.name, macro.receiver, macro.args), macro]));
}
