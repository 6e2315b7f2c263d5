import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../apimachinery/slices.ts';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../apimachinery/json.ts';
import { baseEnvironments } from '../environment/base-environment.ts';
import type { AccessAuthorizer } from '../libraries/authorizer/authorizer.ts';
import { recorded, recordedTable, sorted } from '../testing/recorded.ts';
import { dynType, type CelType } from '../types/cel-type.ts';
import { ConditionCompiler } from './admission.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { evaluateConditions, OutOfBudget } from './conditions.ts';

interface RecordedConditions {
  readonly kind: string;
  readonly texts: readonly string[];
  readonly variables?: readonly (readonly [name: string, text: string])[];
  readonly object?: JsonValue;
  readonly oldObject?: JsonValue;
  readonly params?: JsonValue;
  readonly request?: JsonValue;
  readonly namespaceObject?: JsonValue;
  readonly authorizer: boolean;
  readonly budget: number;
  readonly left: number;
  readonly outcomes?: readonly { readonly value?: unknown; readonly error?: string }[];
  readonly error?: string;
}

const compiler = new ConditionCompiler(baseEnvironments(35));
const variables = { params: true, authorizer: true };
const refusesAll: AccessAuthorizer = { decide: () => ({ allowed: false, reason: '' }), forServiceAccount: () => refusesAll };

function evaluate(line: RecordedConditions): unknown {
  const types = new Map<string, CelType>();
  const named = new Map<string, CompiledExpression | ExpressionError>();
  for (const [name, text] of line.variables ?? []) {
    const compiled = atOnce(compiler.compile(text, variables, 'any', true, types));
    named.set(name, compiled);
    types.set(name, compiled instanceof ExpressionError ? dynType : compiled.type);
  }
  const expressions = line.texts.map((text) => atOnce(compiler.compile(text, variables, 'any', true, types)));
  try {
    const { outcomes, left } = evaluateConditions(expressions, {
      object: line.object, oldObject: line.oldObject, params: line.params, request: line.request, namespaceObject: line.namespaceObject,
      authorizer: { decide: refusesAll, resource: {} },
    }, line.budget, named);
    return { left, outcomes: outcomes.map((outcome) => ('error' in outcome ? outcome : { value: sorted(recorded(outcome.value)) })) };
  } catch (error) {
    if (error instanceof OutOfBudget) return { left: -1, error: error.message };
    throw error;
  }
}

test('conditions have the outcomes and the costs that upstream\'s tests record', () => {
  // What authorizers say, limits of one call and an older release are the tests' own.
  const lines = recordedTable<RecordedConditions>('admission').lines.filter((line) => line.kind === 'conditions' && !line.authorizer && !/actual cost limit|isQuantity/.test(JSON.stringify(line.outcomes ?? '')));
  assert.ok(lines.length >= 30);
  const differences = lines.flatMap((line) => {
    const expected = line.error === undefined ? { left: line.left, outcomes: (line.outcomes ?? []).map((outcome) => (outcome.error === undefined ? { value: sorted(outcome.value) } : outcome)) } : { left: line.left, error: line.error };
    const got = evaluate(line);
    return isDeepStrictEqual(got, expected) ? [] : [`${line.texts.join('\n')}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
  });
  assert.deepEqual(differences, []);
});
