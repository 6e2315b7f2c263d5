import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { FunctionEntry } from '#shared/cel/check/environment.ts';
import type { OverloadEntry } from '#shared/cel/contract/checked.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Call } from '#shared/cel/syntax/expression.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';
import { holdsValues } from '#shared/cel/values/equality.ts';
import { noOperator } from '#shared/cel/values/errors.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import { CelError, CelList, CelMap, type Value } from '#shared/cel/values/value.ts';
import {
  beginWork,
  charge,
  checkClock,
  countedSteps,
  endWork,
  isClockedText,
  restartInSteps,
  type Evaluate,
  type Frame,
} from './frame.ts';
import { isConstant, stepsOf, type Node } from './node.ts';

type Implementation = NonNullable<FunctionDeclaration['implementation']>;
type InSteps = NonNullable<FunctionDeclaration['steps']>;
export type Cost = (args: readonly Value[], result: Value) => number;

/** The size of an argument (characters, elements or entries) from which on a function runs in steps, if it can. */
const longArgument = 16_384;

/**
 * Plans a call of a function that evaluates all its operands. `prepared`: cel-go computes a part of the call in
 * advance, and then stops at the first operand that fails.
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
  const inSteps = called?.steps ?? known?.overload.steps;
  const oneByOne = args.length > 2 || (shared === undefined && known === undefined);
  const takesTexts = args.some((arg, index) => !isConstant(arg) && mayBeText(known?.overload.parameters[index]));
  const before = inSteps !== undefined ? leaveLong : takesTexts ? checkClockIfLarge : nothing;
  const steps =
    before === nothing && args.every(({ steps }) => steps === undefined)
      ? undefined
      : callInSteps(args, {
          run,
          inSteps,
          cost,
          costsByArguments: [called?.cost, called?.unknownCost, known?.overload.cost].every(
            (part) => part === undefined || part.length < 2,
          ),
          stopsAtError: (oneByOne || prepared) && !lenient,
          lenient,
        });
  return {
    evaluate: oneByOne
      ? evaluateMany(args, run, cost, lenient, before)
      : evaluateFew(args, { run, cost, lenient, before }, prepared),
    steps,
  };
}

interface CallNodeOptions {
  readonly run: Implementation;
  readonly inSteps: InSteps | undefined;
  readonly cost: Cost | undefined;
  /** Whether the cost depends only on the arguments, so that it is known before the call. */
  readonly costsByArguments: boolean;
  /** Whether evaluation stops at the first operand that fails. */
  readonly stopsAtError: boolean;
  readonly lenient: boolean;
}

function callInSteps(
  args: readonly Node[],
  { run, inSteps, cost, costsByArguments, stopsAtError, lenient }: CallNodeOptions,
): (frame: Frame) => Steps<Value> {
  return function* steps(frame) {
    const values: Value[] = [];
    for (const arg of args) {
      const value = yield* stepsOf(arg, frame);
      values.push(value);
      if (stopsAtError && value instanceof CelError && values.length < args.length) return value;
    }
    const wrong = lenient ? undefined : values.find((value) => value instanceof CelError);
    const takesLong =
      inSteps !== undefined && wrong === undefined && values.some((value) => isLong(value) || holdsValues(value));
    if (takesLong && cost !== undefined && costsByArguments) {
      // The cost is charged first, so that a call that exceeds the cost limit does not run.
      charge(frame, cost(values, null));
      return yield* countedSteps(frame, inSteps(...values));
    }
    const result =
      wrong ?? (takesLong ? yield* countedSteps(frame, inSteps(...values)) : runInOneGo(frame, run, values));
    chargeCall(frame, cost, values, result);
    if (values.some(isClockedText) && sliceIsOver()) yield;
    return result;
  };
}

function runInOneGo(frame: Frame, run: Implementation, values: readonly Value[]): Value {
  beginWork(frame);
  const result = run(...values);
  endWork(frame);
  return result;
}

/** Runs before a function that cannot yield. @throws EvaluationTooLong */
type Before = (frame: Frame, values: readonly Value[]) => void;

function nothing(): void {
  // The function is fast for all arguments.
}

function leaveLong(frame: Frame, values: readonly Value[]): void {
  for (const value of values) if (isLong(value)) restartInSteps(frame);
  checkClockIfLarge(frame, values);
}

/** Checks the clock before a call on large values. Such a call may cost only 1, so costs do not bound its time. */
function checkClockIfLarge(frame: Frame, values: readonly Value[]): void {
  for (const value of values) if (isClockedText(value)) return checkClock(frame);
}

function mayBeText(type: CelType | undefined): boolean {
  return type === undefined || type.kind === 'string' || type.kind === 'bytes' || takesAll(type);
}

function chargeCall(frame: Frame, cost: Cost | undefined, values: readonly Value[], result: Value): void {
  charge(frame, cost === undefined ? 1 : cost(values, result));
}

interface QuickCall {
  readonly run: Implementation;
  readonly cost: Cost | undefined;
  readonly lenient: boolean;
  readonly before: Before;
}

/** Evaluates a call with up to two operands. The second is evaluated even if the first fails, unless `prepared`. */
function evaluateFew(args: readonly Node[], { run, cost, lenient, before }: QuickCall, prepared: boolean): Evaluate {
  const [first, second] = args;
  if (first === undefined) {
    return (frame) => {
      const result = run();
      chargeCall(frame, cost, [], result);
      return result;
    };
  }
  const left = first.evaluate;
  if (second === undefined) return evaluateOne(left, run, cost, lenient, before);
  const right = second.evaluate;
  return (frame) => {
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

function evaluateOne(
  operand: Evaluate,
  run: Implementation,
  cost: Cost | undefined,
  lenient: boolean,
  before: Before,
): Evaluate {
  if (cost === undefined && before === nothing) {
    return (frame) => {
      const value = operand(frame);
      const result = value instanceof CelError && !lenient ? value : run(value);
      charge(frame, 1);
      return result;
    };
  }
  return (frame) => {
    const value = operand(frame);
    const values = [value];
    before(frame, values);
    const result = value instanceof CelError && !lenient ? value : run(value);
    chargeCall(frame, cost, values, result);
    return result;
  };
}

/** Evaluates a call that stops at the first failing operand; only if that is the last one is the call charged. */
function evaluateMany(
  args: readonly Node[],
  run: Implementation,
  cost: Cost | undefined,
  lenient: boolean,
  before: Before,
): Evaluate {
  return (frame) => {
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

/** The cost function of a call; undefined if the call costs 1. */
export function costOf(called: FunctionEntry | undefined, known: OverloadEntry | undefined): Cost | undefined {
  const first = called?.cost;
  const own = known === undefined ? called?.unknownCost : known.overload.cost;
  if (first === undefined) return own === undefined ? undefined : (args, result) => own(args, result) ?? 1;
  return (args, result) => first(args, result) ?? own?.(args, result) ?? 1;
}

/** Calls an overload after it checked the arguments, whose types may differ, as with dyn expressions. */
function guarded(name: string, { overload }: OverloadEntry): Implementation {
  const { implementation, parameters } = overload;
  if (implementation === undefined) return (...args) => noOverload(name, args);
  if (overload.nonStrict === true || parameters.every(takesAll)) return implementation;
  return (...args) =>
    parameters.every((parameter, index) => takesValue(parameter, args[index] as Value))
      ? implementation(...args)
      : noOverload(name, args);
}

/** Selects the overload at run time: the first one that accepts the values. */
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

/** A function without an implementation; returns the error that cel-go has for the type of the first argument. */
function unimplemented(name: string, id: number): Implementation {
  return (...args) => noOperator(args.length > 2 ? `${name} ${id}` : name, args[0] ?? null);
}

function noOverload(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map((arg) => typeOf(arg).name).join(', ')})`);
}

function takesAll(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'parameter';
}

/** Whether a value is of a type; for lists and maps only the first entry is checked. */
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
