import { MacroError, type Macro } from '#shared/cel/syntax/macro.ts';
import { standardMacros } from '#shared/cel/syntax/standard-macros.ts';

const mapMacro = standardMacros.find(({ name, args }) => name === 'map' && args === 2);
const input = '@__sortBy_input__';
const sortable: ReadonlySet<string> = new Set(['list', 'select', 'identifier', 'comprehension', 'call']);

/** `list.sortBy(e, key)`: binds the list to a name, maps its elements to keys and sorts it by those keys. */
export const sortByMacro: Macro = {
  name: 'sortBy',
  receiver: true,
  args: 2,
  expand(make, target, args) {
    if (target === undefined) return undefined;
    if (!sortable.has(target.kind))
      throw new MacroError(
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
        target.id,
      );
    const list = make.identifier(input);
    const keys = mapMacro?.expand(make, make.copy(list), args);
    if (keys === undefined) return undefined;
    return make.comprehension({
      range: make.list(),
      variable: '#unused',
      accumulator: input,
      init: target,
      condition: make.literal(false),
      step: list,
      result: make.memberCall('@sortByAssociatedKeys', make.copy(list), keys),
    });
  },
};
