import type { Expression } from './expression.ts';
import { MacroError, type ExpressionFactory, type Macro } from './macro.ts';

/** The macros `has`, `all`, `exists`, `exists_one`, `existsOne`, `map` and `filter`. */
export const standardMacros: readonly Macro[] = [
  {
    name: 'has',
    receiver: false,
    args: 1,
    expand(make, _target, [argument]) {
      if (argument?.kind === 'select') return make.presenceTest(argument.operand, argument.field);
      throw new MacroError('invalid argument to has() macro', argument?.id);
    },
  },
  quantifier('all', (make, predicate) => ({
    init: make.literal(true),
    condition: make.call('@not_strictly_false', make.accumulator()),
    step: make.call('_&&_', make.accumulator(), predicate),
    result: make.accumulator(),
  })),
  quantifier('exists', (make, predicate) => ({
    init: make.literal(false),
    condition: make.call('@not_strictly_false', make.call('!_', make.accumulator())),
    step: make.call('_||_', make.accumulator(), predicate),
    result: make.accumulator(),
  })),
  quantifier('exists_one', exactlyOne),
  quantifier('existsOne', exactlyOne),
  {
    name: 'map',
    receiver: true,
    args: 2,
    expand: (make, target, [variable, value]) => collect(make, target, variable, undefined, value),
  },
  {
    name: 'map',
    receiver: true,
    args: 3,
    expand: (make, target, [variable, predicate, value]) => collect(make, target, variable, predicate, value),
  },
  {
    name: 'filter',
    receiver: true,
    args: 2,
    expand: (make, target, [variable, predicate]) => collect(make, target, variable, predicate, variable),
  },
];

type Fold = Record<'init' | 'condition' | 'step' | 'result', Expression>;

function quantifier(name: string, fold: (make: ExpressionFactory, predicate: Expression) => Fold): Macro {
  return {
    name,
    receiver: true,
    args: 2,
    expand(make, target, [variable, predicate]) {
      const name = iterationVariable(make, variable, 'argument must be a simple name');
      return make.comprehension({
        range: target as Expression,
        variable: name,
        accumulator: make.accumulatorName,
        ...fold(make, predicate as Expression),
      });
    },
  };
}

function exactlyOne(make: ExpressionFactory, predicate: Expression): Fold {
  const init = make.literal(0);
  const condition = make.literal(true);
  const more = make.call('_+_', make.accumulator(), make.literal(1));
  const step = make.call('_?_:_', predicate, more, make.accumulator());
  return { init, condition, step, result: make.call('_==_', make.accumulator(), make.literal(1)) };
}

function collect(
  make: ExpressionFactory,
  target: Expression | undefined,
  variable: Expression | undefined,
  predicate: Expression | undefined,
  value: Expression | undefined,
): Expression {
  const name = iterationVariable(make, variable, 'argument is not an identifier');
  const init = make.list();
  const condition = make.literal(true);
  const more = make.call('_+_', make.accumulator(), make.list(value as Expression));
  const step = predicate === undefined ? more : make.call('_?_:_', predicate, more, make.accumulator());
  return make.comprehension({
    range: target as Expression,
    variable: name,
    accumulator: make.accumulatorName,
    init,
    condition,
    step,
    result: make.accumulator(),
  });
}

function iterationVariable(make: ExpressionFactory, variable: Expression | undefined, otherwise: string): string {
  if (variable?.kind !== 'identifier') throw new MacroError(otherwise, variable?.id);
  if (variable.name === make.accumulatorName || variable.name === '__result__')
    throw new MacroError('iteration variable overwrites accumulator variable', variable.id);
  return variable.name;
}
