import type { Library } from '#shared/cel/contract/library.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import { MacroError, type ExpressionFactory, type Macro } from '#shared/cel/syntax/macro.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  typeParameter,
} from '#shared/cel/values/cel-type.ts';
import { isZeroValue } from '#shared/cel/values/is-zero.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { printValue } from '#shared/cel/values/print.ts';
import { CelError, CelOptional, type CelList, type Value } from '#shared/cel/values/value.ts';
import { member, overload } from './declare.ts';

const k = typeParameter('K');
const v = typeParameter('V');
const optionalV = optionalType(v);
const listV = listType(v);
const mapKV = mapType(k, v);

/** `optMap` and `optFlatMap`: compute a value from the value of an optional; `wrap` wraps the result in an optional. */
function optionalMacro(name: string, wrap: boolean): Macro {
  return {
    name,
    receiver: true,
    args: 2,
    expand(make, target, [variable, value]) {
      if (variable?.kind !== 'identifier')
        throw new MacroError(`${name}() variable name must be a simple identifier`, variable?.id);
      const hasValue = make.memberCall('hasValue', target as Expression);
      const bound = bind(
        make,
        variable.name,
        () => make.memberCall('value', make.copy(target as Expression)),
        value as Expression,
      );
      const some = wrap ? make.call('optional.of', bound) : bound;
      return make.call('_?_:_', hasValue, some, make.call('optional.none'));
    },
  };
}

/** Binds a variable: a comprehension over an empty list, whose accumulator is the variable that `result` reads. */
export function bind(make: ExpressionFactory, name: string, init: () => Expression, result: Expression): Expression {
  const range = make.list();
  const start = init();
  return make.comprehension({
    range,
    variable: '#unused',
    accumulator: name,
    init: start,
    condition: make.literal(false),
    step: make.identifier(name),
    result,
  });
}

function unwrap(list: CelList): Value {
  const items: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    if (!(item instanceof CelOptional)) return new CelError(`value ${printValue(item)} is not optional`);
    if (item.value !== undefined) items.push(item.value);
  }
  return new ArrayList(items);
}

function at(list: CelList, index: number): CelOptional {
  return list.size === 0 ? CelOptional.none : new CelOptional(list.get(index));
}

const unwrapOverload = { parameters: [listType(optionalV)], result: listV, implementation: unwrap };

/** The library of optional values: `optional.of`, `a.?b`, `a[?b]`, `or`, `optMap` and others. */
export const optionalLibrary: Library = {
  name: 'cel.lib.optional',
  types: [optionalType(v)],
  macros: [optionalMacro('optMap', true), optionalMacro('optFlatMap', false)],
  functions: [
    {
      name: 'optional.of',
      overloads: [
        overload('optional_of', [v], optionalV, { implementation: (value: Value) => new CelOptional(value) }),
      ],
    },
    {
      name: 'optional.ofNonZeroValue',
      overloads: [
        overload('optional_ofNonZeroValue', [v], optionalV, {
          implementation: (value: Value) => (isZeroValue(value) ? CelOptional.none : new CelOptional(value)),
        }),
      ],
    },
    {
      name: 'optional.none',
      overloads: [overload('optional_none', [], optionalV, { implementation: () => CelOptional.none })],
    },
    {
      name: 'value',
      overloads: [
        member('optional_value', [optionalV], v, {
          implementation: ({ value }: CelOptional) =>
            value === undefined ? new CelError('optional.none() dereference') : value,
        }),
      ],
    },
    {
      name: 'hasValue',
      overloads: [
        member('optional_hasValue', [optionalV], boolType, {
          implementation: ({ value }: CelOptional) => value !== undefined,
        }),
      ],
    },
    // The evaluator implements the following functions, which may skip operands or which select fields.
    { name: 'or', overloads: [member('optional_or_optional', [optionalV, optionalV], optionalV)] },
    { name: 'orValue', overloads: [member('optional_orValue_value', [optionalV, v], v)] },
    { name: '_?._', overloads: [overload('select_optional_field', [dynType, stringType], optionalV)] },
    {
      name: '_[?_]',
      overloads: [
        overload('list_optindex_optional_int', [listV, intType], optionalV),
        overload('optional_list_optindex_optional_int', [optionalType(listV), intType], optionalV),
        overload('map_optindex_optional_value', [mapKV, k], optionalV),
        overload('optional_map_optindex_optional_value', [optionalType(mapKV), k], optionalV),
      ],
    },
    {
      name: '_[_]',
      overloads: [
        overload('optional_list_index_int', [optionalType(listV), intType], optionalV),
        overload('optional_map_index_value', [optionalType(mapKV), k], optionalV),
      ],
    },
    {
      name: 'last',
      overloads: [
        member('list_last', [listV], optionalV, { implementation: (list: CelList) => at(list, list.size - 1) }),
      ],
    },
    {
      name: 'first',
      overloads: [member('list_first', [listV], optionalV, { implementation: (list: CelList) => at(list, 0) })],
    },
    { name: 'optional.unwrap', overloads: [{ id: 'optional_unwrap', ...unwrapOverload }] },
    { name: 'unwrapOpt', overloads: [{ id: 'optional_unwrapOpt', member: true, ...unwrapOverload }] },
  ],
};
