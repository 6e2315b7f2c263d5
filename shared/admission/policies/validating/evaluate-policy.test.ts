import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FailurePolicy, MatchConditions } from '#shared/admission/expressions/match-conditions.ts';
import { RequestAuthorizer } from '#shared/admission/expressions/request-authorizer.ts';
import { RequestValues } from '#shared/admission/expressions/request-values.ts';
import { readTable } from '#shared/admission/testing/read-table.ts';
import { attributesOf } from '#shared/admission/testing/recorded-request.ts';
import { doneWith, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import type { CompiledCondition } from '#shared/cel/uses/conditions.ts';
import type { CompiledValidatingPolicy } from './compile-policy.ts';
import { evaluatePolicy, type PolicyResult } from './evaluate-policy.ts';

/** The outcome of an expression: a value or an error. */
interface RecordedOutcome {
  readonly expression?: string;
  readonly key?: string;
  readonly message?: string;
  readonly reason?: string | null;
  readonly value?: boolean | string | null;
  readonly error?: string;
}

interface RecordedEvaluation {
  readonly failurePolicy: FailurePolicy | null;
  readonly matches: boolean;
  readonly matchError?: string;
  readonly validations: readonly RecordedOutcome[] | null;
  readonly messages: readonly (RecordedOutcome | null)[] | null;
  readonly auditAnnotations: readonly RecordedOutcome[] | null;
  /** The evaluations that exceeded the budget. */
  readonly exceeded?: string;
  readonly result: PolicyResult;
}

const compiler = new ConditionCompiler(baseEnvironments(36));

/** An expression with a recorded outcome; the budget of these tests is too small for one that reads a variable. */
async function expressionWith({ value, error }: RecordedOutcome, exceeds = false): Promise<CompiledCondition> {
  if (error !== undefined) return new ExpressionError('RuleInvalid', error);
  const text = exceeds ? 'request.name' : JSON.stringify(value);
  return inSlices(compiler.compile(text, {}, 'any'));
}

async function policyWith(line: RecordedEvaluation): Promise<CompiledValidatingPolicy> {
  const { matches, matchError, validations, messages, auditAnnotations, exceeded } = line;
  const outcome = matchError === undefined ? { matches } : { error: matchError };
  const conditions: Pick<MatchConditions, 'match'> = { match: () => doneWith(outcome) };
  return {
    failurePolicy: line.failurePolicy ?? 'Fail',
    variables: new Map(),
    matchConditions: conditions as MatchConditions,
    validations: await Promise.all(
      (validations ?? []).map(async (validation, at) => {
        const made = messages?.[at] ?? (exceeded === 'messages' ? {} : null);
        return {
          expression: validation.expression ?? '',
          message: validation.message ?? '',
          reason: validation.reason ?? '',
          compiled: await expressionWith(validation),
          makeMessage: made === null ? undefined : await expressionWith(made, exceeded === 'messages'),
        };
      }),
    ),
    auditAnnotations: await Promise.all(
      (auditAnnotations ?? []).map(async (annotation) => ({
        key: annotation.key ?? '',
        valueExpression: annotation.expression ?? '',
        compiled: await expressionWith(annotation),
      })),
    ),
  };
}

/**
 * Without the words that our errors have by their place, since these expressions fail because they do not compile, and
 * without what is counted.
 */
function plainResult(result: PolicyResult): unknown {
  const text = JSON.stringify(result, (key, value: unknown) => (key === 'ms' || key === 'isError' ? undefined : value));
  return JSON.parse(text.replaceAll('compilation error: ', ''));
}

describe('evaluatePolicy', () => {
  test("decides by the outcomes of expressions in upstream's tests of validators as upstream does", async () => {
    const { attributes, kind, schema } = emptyRequest();
    const values = new RequestValues({ attributes, kind, schema }, new RequestAuthorizer(allow, attributes.user));
    const lines = readTable<RecordedEvaluation>(import.meta.url, 'validator');
    for (const line of lines) {
      const variables = { resource: attributes.resource, params: null, namespaceObject: null };
      const result = await inSlices(evaluatePolicy(await policyWith(line), values, variables, 0));
      assert.deepEqual(plainResult(result), line.result, JSON.stringify(line));
    }
    assert.ok(lines.length > 30);
  });
});

const allow = (): { allowed: boolean; reason: string } => ({ allowed: true, reason: '' });

function emptyRequest(): Pick<RequestValues['versioned'], 'attributes' | 'kind' | 'schema'> {
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const request = {
    operation: 'CREATE',
    kind,
    resource,
    subresource: '',
    namespace: '',
    name: '',
    dryRun: false,
  } as const;
  const attributes = attributesOf(request);
  return { attributes, kind, schema: attributes.versions.schema(kind) };
}
