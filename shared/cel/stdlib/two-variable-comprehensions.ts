import type { Library } from '#shared/cel/contract/library.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import { MacroError, type ExpressionFactory, type Macro } from '#shared/cel/syntax/macro.ts';
import { mapType, typeParameter } from '#shared/cel/values/cel-type.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { printValue } from '#shared/cel/values/print.ts';
import { CelError, type CelMap, type Value } from '#shared/cel/values/value.ts';
import { overload } from './declare.ts';

type Fold = Record<'init' | 'condition' | 'step' | 'result', Expression>;

/** `range.name(key, value, …)`: the variables are index and element of a list, or key and value of a map. */
function macro(
  name: string,
  args: 3 | 4,
  fold: (make: ExpressionFactory, variables: readonly [string, string], rest: readonly Expression[]) => Fold,
): Macro {
  return {
    name,
    receiver: true,
    args,
    expand(make, target, [first, second, ...rest]) {
      const variables = [simpleName(first), simpleName(second)] as const;
      if (variables[0] === variables[1]) throw new MacroError(`duplicate variable name: ${variables[0]}`, second?.id);
      for (const [index, variable] of variables.entries()) {
        if (variable === make.accumulatorName || variable === '__result__')
          throw new MacroError('iteration variable overwrites accumulator variable', [first, second][index]?.id);
      }
      return make.comprehension({
        range: target as Expression,
        variable: variables[0],
        variable2: variables[1],
        accumulator: make.accumulatorName,
        ...fold(make, variables, rest),
      });
    },
  };
}

function simpleName(variable: Expression | undefined): string {
  if (variable?.kind !== 'identifier') throw new MacroError('argument must be a simple name', variable?.id);
  return variable.name;
}

function quantifier(
  settles: boolean,
): (make: ExpressionFactory, variables: readonly [string, string], rest: readonly Expression[]) => Fold {
  return (make, _variables, [predicate]) => {
    const init = make.literal(!settles);
    const condition = make.call(
      '@not_strictly_false',
      settles ? make.call('!_', make.accumulator()) : make.accumulator(),
    );
    const step = make.call(settles ? '_||_' : '_&&_', make.accumulator(), predicate as Expression);
    return { init, condition, step, result: make.accumulator() };
  };
}

function exactlyOne(
  make: ExpressionFactory,
  _variables: readonly [string, string],
  [predicate]: readonly Expression[],
): Fold {
  const init = make.literal(0);
  const condition = make.literal(true);
  const step = make.call(
    '_?_:_',
    predicate as Expression,
    make.call('_+_', make.accumulator(), make.literal(1)),
    make.accumulator(),
  );
  return { init, condition, step, result: make.call('_==_', make.accumulator(), make.literal(1)) };
}

/** A fold that adds the value of the last argument with `more`. With two arguments the first one is a filter. */
function collect(
  init: (make: ExpressionFactory) => Expression,
  more: (make: ExpressionFactory, key: string, value: Expression) => Expression,
) {
  return (make: ExpressionFactory, [key]: readonly [string, string], rest: readonly Expression[]): Fold => {
    const value = rest.at(-1) as Expression;
    const added = more(make, key, value);
    const step = rest.length === 2 ? make.call('_?_:_', rest[0] as Expression, added, make.accumulator()) : added;
    return { init: init(make), condition: make.literal(true), step, result: make.accumulator() };
  };
}

const toList = collect(
  (make) => make.list(),
  (make, _key, value) => make.call('_+_', make.accumulator(), make.list(value)),
);
const toMap = collect(
  (make) => make.map(),
  (make, key, value) => make.call('cel.@mapInsert', make.accumulator(), make.identifier(key), value),
);
const toEntries = collect(
  (make) => make.map(),
  (make, _key, value) => make.call('cel.@mapInsert', make.accumulator(), value),
);

function insert(map: CelMap, entries: Iterable<readonly [Value, Value]>): Value {
  const made =
    map instanceof EntryMap ? map : EntryMap.of(Array.from(map.keys(), (key) => [key, map.find(key) ?? null] as const));
  for (const [key, value] of entries) {
    if (made.find(key) !== undefined) return new CelError(`insert failed: key ${printValue(key)} already exists`);
    if (!made.set(key, value)) return new CelError(`unsupported key type: ${printValue(key)}`);
  }
  return made;
}

const mapKV = mapType(typeParameter('K'), typeParameter('V'));

/** Macros with two variables: `all`, `exists`, `existsOne`, `transformList`, `transformMap`, `transformMapEntry`. */
export const twoVariableComprehensions: Library = {
  name: 'cel.lib.ext.comprev2',
  macros: [
    macro('all', 3, quantifier(false)),
    macro('exists', 3, quantifier(true)),
    macro('existsOne', 3, exactlyOne),
    macro('exists_one', 3, exactlyOne),
    macro('transformList', 3, toList),
    macro('transformList', 4, toList),
    macro('transformMap', 3, toMap),
    macro('transformMap', 4, toMap),
    macro('transformMapEntry', 3, toEntries),
    macro('transformMapEntry', 4, toEntries),
  ],
  functions: [
    {
      name: 'cel.@mapInsert',
      overloads: [
        overload('@mapInsert_map_key_value', [mapKV, typeParameter('K'), typeParameter('V')], mapKV, {
          implementation: (map: CelMap, key: Value, value: Value) => insert(map, [[key, value]]),
        }),
        overload('@mapInsert_map_map', [mapKV, mapKV], mapKV, {
          implementation: (map: CelMap, more: CelMap) =>
            insert(
              map,
              Array.from(more.keys(), (key) => [key, more.find(key) ?? null] as const),
            ),
        }),
      ],
    },
  ],
};
