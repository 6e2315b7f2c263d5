import { macroKey } from './macro-key.ts';
import type { Macro } from './macro.ts';

/** The macros and optional syntax of an environment. */
export interface Syntax {
  readonly macros: ReadonlyMap<string, Macro>;
  /** Whether `a.?b`, `a[?b]` and `[?c]` are accepted. */
  readonly optionals: boolean;
}

/** The macros of an environment by key; a later macro replaces an earlier one with the same key. */
export function macroTable(macros: Iterable<Macro>): ReadonlyMap<string, Macro> {
  return new Map(Array.from(macros, (macro) => [macroKey(macro.name, macro.receiver, macro.args), macro]));
}
