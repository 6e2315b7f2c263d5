import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import {
  CelAuthorizer,
  ResourceCheck,
  type AccessAuthorizer,
  type AccessDecision,
  type CheckedAccess,
  type ResourceAccess,
} from '#shared/cel/libraries/authorizer/access-checks.ts';
import {
  recorded,
  recordedTable,
  sorted,
  type RecordedDecision,
  type RecordedRun,
} from '#shared/cel/testing/recorded.ts';
import { dynType, type CelType } from '#shared/cel/values/cel-type.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { ConditionCompiler } from './admission.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { evaluateConditions, ConditionBudgetExceeded } from './conditions.ts';

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
/** What some tests give: an older release, and a feature gate that is off. */
const older = new ConditionCompiler(baseEnvironments(27));
const withoutSelectors = new ConditionCompiler(baseEnvironments(35, () => false));
const variables = { params: true, authorizer: true };
const table = recordedTable<RecordedConditions>('admission');

/** What was recorded of an expression with authorizers: each run has what was asked and answered. */
function runsOf({ texts }: RecordedConditions): readonly RecordedRun[] {
  return table.expressions.filter(({ text }) => texts.includes(text)).flatMap(({ runs = [] }) => runs);
}

/** Answers as the recorded authorizer did; what that was not asked fails. */
class RecordedAuthorizer implements AccessAuthorizer {
  readonly #decisions: readonly RecordedDecision[];
  readonly #user: string | undefined;

  constructor(decisions: readonly RecordedDecision[], user?: string) {
    this.#decisions = decisions;
    this.#user = user;
  }

  decide(access: CheckedAccess): AccessDecision {
    const asked = {
      ...('path' in access ? access : { ...access, ...selectorsOf(access) }),
      ...(this.#user === undefined ? {} : { user: this.#user }),
    };
    const found = this.#decisions.find((decision) =>
      isDeepStrictEqual(withTextSelectors(decision.asked), withTextSelectors(asked)),
    );
    assert.ok(found, `was not asked: ${JSON.stringify(asked)}`);
    return {
      allowed: found.decision === 1,
      reason: found.reason,
      ...(found.error === undefined ? {} : { error: found.error }),
    };
  }

  forServiceAccount(namespace: string, name: string): AccessAuthorizer {
    return new RecordedAuthorizer(this.#decisions, `system:serviceaccount:${namespace}:${name}`);
  }
}

/**
 * Upstream reads selectors before it asks, and leaves out what it cannot read; here they are read by whoever decides.
 */
function selectorsOf({ fieldSelector, labelSelector }: ResourceAccess): object {
  const readable = (text: string): string | null => (text === '' || text.includes('badoperator') ? null : text);
  return { fieldSelector: readable(fieldSelector), labelSelector: readable(labelSelector) };
}

/** The fields of label selectors are not exported in Go: of them is recorded only that they are there. */
function withTextSelectors(asked: Readonly<Record<string, unknown>>): unknown {
  const { fieldSelector, labelSelector, ...others } = asked;
  const text = Array.isArray(fieldSelector)
    ? fieldSelector.map(({ Field, Operator, Value }: Record<string, string>) => `${Field}${Operator}${Value}`).join()
    : (fieldSelector ?? null);
  return { ...others, fieldSelector: text, labelSelector: labelSelector !== null && labelSelector !== undefined };
}

function compilerFor({ outcomes }: RecordedConditions): ConditionCompiler {
  const refuses = (name: string): boolean =>
    JSON.stringify(outcomes ?? '').includes(`undeclared reference to '${name}'`);
  return refuses('isQuantity') ? older : refuses('fieldSelector') ? withoutSelectors : compiler;
}

function evaluate(
  line: RecordedConditions,
  decisions: readonly RecordedDecision[],
  callCost: number | undefined,
): unknown {
  const types = new Map<string, CelType>();
  const named = new Map<string, CompiledExpression | ExpressionError>();
  // What a release does not know is refused in new expressions only.
  const chosen = compilerFor(line);
  const stored = chosen === compiler;
  for (const [name, text] of line.variables ?? []) {
    const compiled = atOnce(chosen.compile(text, variables, 'any', stored, types));
    named.set(name, compiled);
    types.set(name, compiled instanceof ExpressionError ? dynType : compiled.type);
  }
  const expressions = line.texts.map((text) => atOnce(chosen.compile(text, variables, 'any', stored, types)));
  const {
    name = '',
    namespace = '',
    resource,
    subResource = '',
  } = (line.request ?? {}) as {
    name?: string;
    namespace?: string;
    resource?: { group: string; resource: string };
    subResource?: string;
  };
  try {
    const authorizer = new RecordedAuthorizer(decisions);
    const bindings = new Map<string, Value>([
      ['object', jsonValue(line.object)],
      ['oldObject', jsonValue(line.oldObject)],
      ['params', jsonValue(line.params)],
      ['request', jsonValue(line.request)],
      ['namespaceObject', jsonValue(line.namespaceObject)],
      ['authorizer', new CelAuthorizer(authorizer)],
      [
        'authorizer.requestResource',
        new ResourceCheck(authorizer, {
          group: resource?.group ?? '',
          resource: resource?.resource ?? '',
          subresource: subResource,
          namespace,
          name,
        }),
      ],
    ]);
    const { outcomes, left } = atOnce(
      evaluateConditions({ expressions, variables: named }, bindings, line.budget, callCost),
    );
    return {
      left,
      outcomes: outcomes.map((outcome) =>
        outcome === undefined || 'error' in outcome
          ? outcome && { error: outcome.error }
          : { value: sorted(recorded(outcome.value)) },
      ),
    };
  } catch (error) {
    if (error instanceof ConditionBudgetExceeded) return { left: -1, error: error.message };
    throw error;
  }
}

describe('evaluateConditions', () => {
  test("returns the outcomes and remaining budgets that upstream's tests record", () => {
    const lines = table.lines.filter((line) => line.kind === 'conditions');
    assert.equal(lines.length, 59);
    const differences = lines.flatMap((line) => {
      const expected =
        line.error === undefined
          ? {
              left: line.left,
              outcomes: (line.outcomes ?? []).map((outcome) =>
                outcome.error === undefined ? { value: sorted(outcome.value) } : outcome,
              ),
            }
          : { left: line.left, error: line.error };
      // Several tests run the same texts, with authorizers of their own.
      const runs = runsOf(line);
      const answers = runs.flatMap(({ decisions }) => (decisions === undefined ? [] : [decisions]));
      const limit =
        expected.outcomes === undefined || !JSON.stringify(expected).includes('actual cost limit')
          ? undefined
          : Number(runs.find(({ error }) => error?.includes('actual cost limit'))?.limit);
      const got = (answers.length === 0 ? [[]] : answers).map((decisions) => {
        try {
          return evaluate(line, decisions, limit);
        } catch (error) {
          return String(error);
        }
      });
      return got.some((one) => isDeepStrictEqual(one, expected))
        ? []
        : [`${line.texts.join('\n')}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
    });
    assert.deepEqual(differences, []);
  });
});
