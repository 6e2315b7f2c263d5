import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import { dynType, type CelType } from '../types/cel-type.ts';
import { formatType } from '../types/format-type.ts';
import { isEquivalentType } from '../types/same-type.ts';
import { toDuration, toTimestamp } from '../values/conversions.ts';
import { patternError } from '../values/patterns.ts';
import { CelError, type Value } from '../values/value.ts';
import type { Checked } from './checker.ts';
import type { Environment } from './environment.ts';
import { childrenOf } from './children.ts';

/** Functions whose lists may hold values of several types. */
const exempt = new Set(['format', 'cel.@block']);

const judges = new Map<string, (value: Value) => boolean>([
  ['duration', (value) => !(toDuration(value) instanceof CelError)],
  ['timestamp', (value) => !(toTimestamp(value) instanceof CelError)],
  ['matches', (value) => typeof value !== 'string' || patternError(value) === undefined],
]);

/** What is wrong with durations, timestamps, patterns, lists and maps that are written out, and what libraries say. */
export function literalIssues(checked: Checked, environment: Environment): Issue[] {
  const issues: Issue[] = [];
  const report = (id: number, message: string): void => void issues.push({ offset: checked.offsets[id] ?? -1, message });
  if (environment.checkLiterals) {
    for (const [name, isGood] of judges) judgeCalls(checked.expression, name, isGood, report);
    judgeAggregates(checked, 'list', report);
    judgeAggregates(checked, 'map', report);
  }
  for (const validate of environment.validators) validate(checked, report);
  return issues;
}

type Report = (id: number, message: string) => void;

function judgeCalls(expression: Expression, name: string, isGood: (value: Value) => boolean, report: Report): void {
  if (expression.kind === 'call' && expression.function === name) {
    const [argument] = expression.args;
    if (argument?.kind === 'literal' && !isGood(argument.value)) report(argument.id, `invalid ${name} argument`);
  }
  for (const child of childrenOf(expression)) judgeCalls(child, name, isGood, report);
}

function judgeAggregates(checked: Checked, kind: 'list' | 'map', report: Report): void {
  const typeOf = (expression: Expression, optional: boolean): CelType => {
    const type = checked.types[expression.id] ?? dynType;
    return optional ? type.parameters[0] ?? dynType : type;
  };
  const mismatch = (id: number, expected: CelType, actual: CelType): void => report(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  const visit = (expression: Expression): void => {
    if (expression.kind === 'call' && exempt.has(expression.function)) return;
    if (expression.kind === 'list' && kind === 'list') {
      const types = expression.elements.map((element, index) => typeOf(element, expression.optional.includes(index)));
      const [first] = types;
      const odd = types.findIndex((type) => first !== undefined && !isEquivalentType(first, type));
      if (first !== undefined && odd > 0) mismatch(expression.elements[odd]?.id ?? 0, first, types[odd] as CelType);
    }
    if (expression.kind === 'map' && kind === 'map') {
      const [first] = expression.entries;
      for (const { key, value, optional } of first === undefined ? [] : expression.entries.slice(1)) {
        const keys = typeOf((first as typeof first & object).key, false);
        const values = typeOf((first as typeof first & object).value, first?.optional === true);
        if (!isEquivalentType(keys, typeOf(key, false))) mismatch(key.id, keys, typeOf(key, false));
        if (!isEquivalentType(values, typeOf(value, optional))) mismatch(value.id, values, typeOf(value, optional));
      }
    }
    for (const child of childrenOf(expression)) visit(child);
  };
  visit(checked.expression);
}
