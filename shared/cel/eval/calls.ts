import type { Steps } from '../../apimachinery/slices.ts';
import type { FunctionEntry, OverloadEntry } from '../check/environment.ts';
import type { CelType } from '../types/cel-type.ts';
import type { FunctionDeclaration } from '../contract/library.ts';
import type { Call } from '../syntax/expression.ts';
import { holdsValues } from '../values/equality.ts';
import { typeOf } from '../values/type-of.ts';
import { noOperator } from '../values/errors.ts';
import { CelObject } from '../types/cel-object.ts';
import { CelError, CelList, CelMap, type Value } from '../values/value.ts';
import { beginWork, charge, countedSteps, endWork, leaveToSteps, type Evaluate, type Frame } from './frame.ts';
import { stepsOf, type Node } from './node.ts';

type Implementation = NonNullable<FunctionDeclaration['implementation']>;
type InSteps = NonNullable<FunctionDeclaration['steps']>;
export type Cost = (args: readonly Value[], result: Value) => number;

/** From how many characters, elements or entries of one argument on a function runs in steps, where it can. */
const longArgument = 16_384;

/**
 * A call of a function whose operands are all evaluated. `prepared` says that something of it is computed before, which
 * has cel-go evaluate operands one by one.
 */
export function callNode(
  called: FunctionEntry | undefined,
  { id, function: name }: Call,
  candidates: readonly OverloadEntry[],
  args: readonly Node[],
  prepared = false,
): Node {
  const known = candidates.length === 1 ? candidates[0] : undefined;
  const cost = costOf(called, known);
  const lenient = known?.overload.nonStrict === true;
  const overloads = called?.overloads ?? [];
  const shared =
    called?.implementation ??
    (overloads.some(({ overload }) => overload.implementation !== undefined) ? undefined : unimplemented(name, id));
  const run = shared ?? (known === undefined ? dispatch(name, overloads) : guarded(name, known));
  const costsByArguments =
    cost !== undefined &&
    [called?.cost, called?.unknownCost, known?.overload.cost].every((part) => part === undefined || part.length < 2);
  const inSteps = called?.steps ?? known?.overload.steps;
  const oneByOne = args.length > 2 || (shared === undefined && known === undefined);
  return {
    evaluate: guardLong(
      inSteps,
      oneByOne ? evaluateMany(args, run, cost, lenient) : evaluateFew(args, run, cost, lenient, prepared),
    ),
    steps:
      inSteps === undefined && args.every(({ steps }) => steps === undefined)
        ? undefined
        : function* steps(frame): Steps<Value> {
            const values: Value[] = [];
            for (const arg of args) {
              const value = yield* stepsOf(arg, frame);
              values.push(value);
              if ((oneByOne || prepared) && !lenient && value instanceof CelError && values.length < args.length)
                return value;
            }
            const wrong = lenient ? undefined : values.find((value) => value instanceof CelError);
            const takesLong =
              inSteps !== undefined &&
              wrong === undefined &&
              values.some((value) => isLong(value) || holdsValues(value));
            if (takesLong && costsByArguments) {
              // Nobody waits for what is over the limit.
              charge(frame, cost(values, null));
              return yield* countedSteps(frame, inSteps(...values));
            }
            const result =
              wrong ?? (takesLong ? yield* countedSteps(frame, inSteps(...values)) : runInOneGo(frame, values));
            chargeCall(frame, cost, values, result);
            return result;
          },
  };

  function runInOneGo(frame: Frame, values: Value[]): Value {
    beginWork(frame);
    const result = run(...values);
    endWork(frame);
    return result;
  }

  function guardLong(
    long: InSteps | undefined,
    evaluate: (frame: Frame, beforeRun: (frame: Frame, values: readonly Value[]) => void) => Value,
  ): Evaluate {
    const before =
      long === undefined
        ? nothing
        : (frame: Frame, values: readonly Value[]): void => {
            for (const value of values) if (isLong(value)) leaveToSteps(frame);
          };
    return (frame) => evaluate(frame, before);
  }
}

function nothing(): void {
  // The function is short whatever its arguments are.
}

type Run = (frame: Frame, before: (frame: Frame, values: readonly Value[]) => void) => Value;

function chargeCall(frame: Frame, cost: Cost | undefined, values: readonly Value[], result: Value): void {
  charge(frame, cost === undefined ? 1 : cost(values, result));
}

/** All operands are evaluated, also behind an error. */
function evaluateFew(
  args: readonly Node[],
  run: Implementation,
  cost: Cost | undefined,
  lenient: boolean,
  prepared: boolean,
): Run {
  const [first, second] = args;
  if (first === undefined) {
    return (frame) => {
      const result = run();
      chargeCall(frame, cost, [], result);
      return result;
    };
  }
  const left = first.evaluate;
  if (second === undefined) {
    return (frame, before) => {
      const a = left(frame);
      if (before !== nothing) before(frame, [a]);
      const result = a instanceof CelError && !lenient ? a : run(a);
      if (cost === undefined) charge(frame, 1);
      else charge(frame, cost([a], result));
      return result;
    };
  }
  const right = second.evaluate;
  return (frame, before) => {
    const a = left(frame);
    if (prepared && a instanceof CelError) return a;
    const b = right(frame);
    const result = a instanceof CelError && !lenient ? a : b instanceof CelError && !lenient ? b : undefined;
    if (cost === undefined && before === nothing) {
      const value = result ?? run(a, b);
      charge(frame, 1);
      return value;
    }
    const values = [a, b];
    before(frame, values);
    const value = result ?? run(a, b);
    chargeCall(frame, cost, values, value);
    return value;
  };
}

/** The first error ends it, at no cost, unless all are evaluated then. */
function evaluateMany(args: readonly Node[], run: Implementation, cost: Cost | undefined, lenient: boolean): Run {
  return (frame, before) => {
    const values: Value[] = [];
    let wrong: Value | undefined;
    for (const { evaluate } of args) {
      const value = evaluate(frame);
      values.push(value);
      if (!(value instanceof CelError) || lenient) continue;
      if (values.length < args.length) return value;
      wrong = value;
    }
    if (wrong === undefined) before(frame, values);
    const result = wrong ?? run(...values);
    chargeCall(frame, cost, values, result);
    return result;
  };
}

function isLong(value: Value): boolean {
  return typeof value === 'string'
    ? value.length > longArgument
    : value instanceof CelObject && value.workSize > longArgument;
}

/** Undefined for calls that cost 1. */
export function costOf(called: FunctionEntry | undefined, known: OverloadEntry | undefined): Cost | undefined {
  const first = called?.cost;
  const own = known === undefined ? called?.unknownCost : known.overload.cost;
  if (first === undefined) return own === undefined ? undefined : (args, result) => own(args, result) ?? 1;
  return (args, result) => first(args, result) ?? own?.(args, result) ?? 1;
}

/** Checks arguments that may be of other types than the overload's, as those of dyn expressions. */
function guarded(name: string, { overload }: OverloadEntry): Implementation {
  const { implementation, parameters } = overload;
  if (implementation === undefined) return (...args) => noOverload(name, args);
  if (overload.nonStrict === true || parameters.every(takesAll)) return implementation;
  return (...args) =>
    parameters.every((parameter, index) => takesValue(parameter, args[index] as Value))
      ? implementation(...args)
      : noOverload(name, args);
}

/** Finds the overload by the values; the first that takes them is it. */
function dispatch(name: string, overloads: readonly OverloadEntry[]): Implementation {
  return (...args) => {
    const found = overloads.find(
      ({ overload: { parameters, implementation } }) =>
        implementation !== undefined &&
        parameters.length === args.length &&
        parameters.every((parameter, index) => takesValue(parameter, args[index] as Value)),
    );
    return found?.overload.implementation === undefined
      ? noOverload(name, args)
      : found.overload.implementation(...args);
  };
}

/** A function that nothing implements; the first argument is asked whether it has such a method. */
function unimplemented(name: string, id: number): Implementation {
  return (...args) => noOperator(args.length > 2 ? `${name} ${id}` : name, args[0] ?? null);
}

function noOverload(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map((arg) => typeOf(arg).name).join(', ')})`);
}

function takesAll(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'parameter';
}

/** Whether a value is of a type; of lists and maps the first entry is looked at. */
function takesValue(type: CelType, value: Value): boolean {
  if (takesAll(type)) return true;
  if (type.nullable && value === null) return true;
  if (typeOf(value).name !== type.name) return false;
  const [first, second] = type.parameters;
  if (value instanceof CelList)
    return value.size === 0 || first === undefined || takesAll(first) || takesValue(first, value.get(0));
  if (!(value instanceof CelMap) || value.size === 0 || first === undefined || second === undefined) return true;
  for (const key of value.keys()) return takesValue(first, key) && takesValue(second, value.find(key) ?? null);
  return true;
}
