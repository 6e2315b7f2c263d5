import { compiledPattern } from '#shared/apimachinery/regexp/compiled-patterns.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Checked } from '#shared/cel/contract/checked.ts';
import type { Call, Expression, ListLiteral, MapLiteral } from '#shared/cel/syntax/expression.ts';
import type { Issue } from '#shared/cel/syntax/issue.ts';
import { formatType } from '#shared/cel/types/format-type.ts';
import { isEquivalentType } from '#shared/cel/types/same-type.ts';
import { dynType, type CelType } from '#shared/cel/values/cel-type.ts';
import { toDuration, toTimestamp } from '#shared/cel/values/conversions.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { childrenOf } from './children.ts';
import type { Environment } from './environment.ts';

/** Functions whose list arguments may contain values of several types. */
const exempt = new Set(['format', 'cel.@block']);

const judges = new Map<string, (value: Value) => boolean>([
  ['duration', (value) => !(toDuration(value) instanceof CelError)],
  ['timestamp', (value) => !(toTimestamp(value) instanceof CelError)],
]);

/** Validates literals of durations, timestamps, patterns, lists and maps, and runs the validators of libraries. */
export function* literalIssues(checked: Checked, environment: Environment): Steps<Issue[]> {
  const issues: Issue[] = [];
  const report = (id: number, message: string): void =>
    void issues.push({ offset: checked.offsets[id] ?? -1, message });
  const { calls, lists, maps } = yield* literalsIn(checked.expression);
  if (environment.checkLiterals) {
    for (const [name, isGood] of judges) yield* judgeCalls(calls, name, isGood, report);
    yield* judgePatterns(calls, report);
    for (const list of lists) yield* judgeList(list, checked, report);
    for (const map of maps) yield* judgeMap(map, checked, report);
  }
  for (const validate of environment.validators) yield* validate(checked, calls, report);
  return issues;
}

type Report = (id: number, message: string) => void;

interface Literals {
  readonly calls: Call[];
  /** The lists whose elements must all have the same type. */
  readonly lists: ListLiteral[];
  readonly maps: MapLiteral[];
}

/** Collects the calls and literals that are validated; an outer expression comes before those inside it. */
function* literalsIn(expression: Expression): Steps<Literals> {
  const found: Literals = { calls: [], lists: [], maps: [] };
  const stack: { readonly expression: Expression; readonly isExempt: boolean }[] = [{ expression, isExempt: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (partIsOver()) yield;
    const { expression } = next;
    let { isExempt } = next;
    if (expression.kind === 'call') {
      found.calls.push(expression);
      isExempt ||= exempt.has(expression.function);
    } else if (expression.kind === 'list' && !isExempt) found.lists.push(expression);
    else if (expression.kind === 'map' && !isExempt) found.maps.push(expression);
    const children = childrenOf(expression);
    for (let index = children.length - 1; index >= 0; index--)
      stack.push({ expression: children[index] as Expression, isExempt });
  }
  return found;
}

function* judgeCalls(
  calls: readonly Call[],
  name: string,
  isGood: (value: Value) => boolean,
  report: Report,
): Steps<void> {
  for (const call of calls) {
    if (partIsOver()) yield;
    const [argument] = call.args;
    if (call.function === name && argument?.kind === 'literal' && !isGood(argument.value))
      report(argument.id, `invalid ${name} argument`);
  }
}

function* judgePatterns(calls: readonly Call[], report: Report): Steps<void> {
  for (const call of calls) {
    if (partIsOver()) yield;
    const [argument] = call.args;
    if (call.function !== 'matches' || argument?.kind !== 'literal' || typeof argument.value !== 'string') continue;
    if ((yield* compiledPattern(argument.value)).error !== undefined) report(argument.id, 'invalid matches argument');
  }
}

/** Reports the first element whose type differs from that of the first element. */
function* judgeList(list: ListLiteral, checked: Checked, report: Report): Steps<void> {
  const optional = new Set(list.optional);
  let first: CelType | undefined;
  for (const [index, element] of list.elements.entries()) {
    if (partIsOver()) yield;
    const type = typeOf(checked, element, optional.has(index));
    first ??= type;
    if (isEquivalentType(first, type)) continue;
    report(element.id, mismatch(first, type));
    return;
  }
}

function* judgeMap(map: MapLiteral, checked: Checked, report: Report): Steps<void> {
  const [first, ...others] = map.entries;
  if (first === undefined) return;
  const keys = typeOf(checked, first.key, false);
  const values = typeOf(checked, first.value, first.optional);
  for (const { key, value, optional } of others) {
    if (partIsOver()) yield;
    const keyType = typeOf(checked, key, false);
    const valueType = typeOf(checked, value, optional);
    if (!isEquivalentType(keys, keyType)) report(key.id, mismatch(keys, keyType));
    if (!isEquivalentType(values, valueType)) report(value.id, mismatch(values, valueType));
  }
}

function typeOf(checked: Checked, expression: Expression, optional: boolean): CelType {
  const type = checked.types[expression.id] ?? dynType;
  return optional ? (type.parameters[0] ?? dynType) : type;
}

function mismatch(expected: CelType, actual: CelType): string {
  return `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
}
