import type { Library } from '#shared/cel/contract/library.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import { MacroError } from '#shared/cel/syntax/macro.ts';
import { bind } from './optionals.ts';

/** The library with the macro `cel.bind(name, value, expression)`. */
export const bindingsLibrary: Library = {
  name: 'cel.lib.ext.cel.bindings',
  macros: [
    {
      name: 'bind',
      receiver: true,
      args: 3,
      expand(make, target, [variable, value, result]) {
        if (target?.kind !== 'identifier' || target.name !== 'cel') return undefined;
        if (variable?.kind !== 'identifier')
          throw new MacroError('cel.bind() variable names must be simple identifiers', variable?.id);
        return bind(make, variable.name, () => value as Expression, result as Expression);
      },
    },
  ],
};
