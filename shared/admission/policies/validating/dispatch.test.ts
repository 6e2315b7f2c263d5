import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { resourceCriteria, type MatchCriteria } from '#shared/admission/matching/match-criteria.ts';
import { compileMatchRule } from '#shared/admission/matching/match-rule.ts';
import { failurePolicyOf } from '#shared/admission/policies/contract/failure-policy.ts';
import type { Param, ParamLister } from '#shared/admission/policies/contract/param-source.ts';
import { PolicyRequest } from '#shared/admission/policies/evaluation/policy-request.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { readTable } from '#shared/admission/testing/read-table.ts';
import { attributesOf, type RecordedError, type RecordedRequest } from '#shared/admission/testing/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { doneWith, inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { CelMap } from '#shared/cel/values/value.ts';
import { countedBy } from '#shared/observability/exposition/testing/counted-by.ts';
import type { CompiledValidatingPolicy } from './compile-policy.ts';
import { deniedRequest } from './denial.ts';
import { ValidatingDispatch, type ValidatingHook } from './dispatch.ts';
import type { evaluatePolicy, PolicyDecision, PolicyResult } from './evaluate-policy.ts';

interface RecordedHook {
  readonly policy: string;
  readonly spec: JsonObject;
  readonly matches: boolean;
  readonly bindings: readonly { readonly name: string; readonly spec: JsonObject; readonly matches: boolean }[];
  readonly configurationError?: string;
  readonly params?: readonly KubeObject['metadata'][];
  readonly isNamespaced?: boolean;
  /** What upstream's test says for each parameter, by `namespace/name`. */
  readonly evaluations?: readonly { readonly param: string | null; readonly result: RecordedResult }[];
}

interface RecordedResult {
  readonly decisions: readonly Omit<PolicyDecision, 'isError' | 'ms'>[];
  readonly annotations: readonly (
    | { readonly key: string; readonly value: string }
    | { readonly error: string }
    | null
  )[];
}

interface RecordedDispatch {
  readonly attributes: RecordedRequest;
  readonly hooks: readonly RecordedHook[];
  readonly error: RecordedError;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>> | null;
}

const everything = compileMatchRule({ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] });

function criteriaFor(matches: boolean): MatchCriteria {
  const criteria = resourceCriteria({ namespaceSelector: {}, objectSelector: {} });
  return { ...criteria, rules: matches ? [everything] : [] };
}

function paramsOf({ spec, params, isNamespaced = false, configurationError }: RecordedHook): ParamLister | undefined {
  if (spec['paramKind'] === undefined || configurationError !== undefined) return undefined;
  const held = (params ?? []).map((metadata): Param => {
    const id = `${metadata.namespace}/${metadata.name}`;
    return { object: { metadata: { ...metadata, labels: metadata.labels ?? {} } }, value: jsonValue({ id }) };
  });
  const within = (namespace: string): Param[] =>
    held.filter(({ object }) => !isNamespaced || object.metadata.namespace === namespace);
  return {
    namespaced: isNamespaced,
    isReady: () => true,
    ready: () => Promise.resolve(),
    get: (namespace, name) => within(namespace).find(({ object }) => object.metadata.name === name),
    list: (namespace, isWanted) => within(namespace).filter(({ object }) => isWanted(object.metadata.labels)),
  };
}

/** A policy whose evaluation is {@link answersOf}. */
function hookOf(hook: RecordedHook, params: ParamLister | undefined): ValidatingHook {
  const { policy: name, spec, matches, bindings, configurationError } = hook;
  const evaluator: CompiledValidatingPolicy = {
    variables: new Map(),
    matchConditions: undefined,
    failurePolicy: failurePolicyOf(spec),
    validations: [],
    auditAnnotations: [],
  };
  return {
    name,
    spec,
    criteria: criteriaFor(matches),
    failurePolicy: failurePolicyOf(spec),
    evaluator,
    bindings: bindings.map((binding) => ({ ...binding, criteria: criteriaFor(binding.matches) })),
    params,
    configurationError,
  };
}

/** Answers as upstream's test did for the parameter, and notes the parameter. */
function answersOf(
  recorded: readonly RecordedHook[],
  hooks: readonly ValidatingHook[],
  noted: (string | null)[][],
): typeof evaluatePolicy {
  return (policy, _values, { params }) => {
    const at = hooks.findIndex(({ evaluator }) => evaluator === policy);
    const name = params instanceof CelMap ? String(params.find('id')) : null;
    noted[at]?.push(name);
    const evaluation = recorded[at]?.evaluations?.find(({ param }) => param === name);
    const { decisions, annotations } = evaluation?.result ?? assert.fail(`no evaluation with ${name}`);
    return doneWith({
      decisions: decisions.map((decision) => ({ ...decision, isError: false, ms: 0 })),
      annotations: annotations.map((annotation) => (annotation === null ? undefined : { ...annotation, ms: 0 })),
    });
  };
}

describe('ValidatingDispatch', () => {
  test("answers the requests of upstream's tests as upstream does", async () => {
    const lines = readTable<RecordedDispatch>(import.meta.url, 'validating-dispatch');
    for (const line of lines) {
      const { attributes: request, hooks: recorded, error, ...expected } = line;
      const caches = new FakeCaches();
      caches.put('', 'namespaces', { metadata: { name: request.namespace } });
      const warnings: string[] = [];
      const annotations: Record<string, string> = {};
      const attributes = attributesOf(request, {
        addWarning: (text) => void warnings.push(text),
        addAuditAnnotation: (key, value) => void (annotations[key] = value),
      });
      const namespaces = new ObjectLister(caches, '', 'namespaces');
      const hooks = recorded.map((hook) => hookOf(hook, paramsOf(hook)));
      const evaluated: (string | null)[][] = hooks.map(() => []);
      const dispatch = new ValidatingDispatch(
        new PolicyRequest(attributes, { namespaces, authorize: () => ({ allowed: true, reason: '' }) }),
        answersOf(recorded, hooks, evaluated),
      );
      const [denial] = await inSlices(dispatch.run(hooks));
      const answer = denial === undefined ? null : deniedRequest(attributes, denial).status;
      const params = recorded.map(({ evaluations = [] }) => evaluations.map(({ param }) => param));
      assert.deepEqual(evaluated, params, JSON.stringify(line));
      assert.deepEqual({ warnings, annotations }, { ...expected, annotations: expected.annotations ?? {} });
      assert.deepEqual(answer, error, JSON.stringify(line));
    }
    assert.ok(lines.length > 90);
  });

  test('counts what becomes of expressions that deny or fail, and not what admits', async () => {
    const result = (change: Partial<PolicyDecision>): PolicyDecision => {
      return { denies: false, isError: false, reason: '', message: '', ms: 0, ...change };
    };
    const decisions = [
      result({}),
      result({ denies: true, message: 'failed expression: a' }),
      result({ isError: true, message: 'compilation error: b' }),
    ];
    const annotation = { error: 'validation failed due to running out of cost budget, …', ms: 0 };
    const spec = { validationActions: ['Deny', 'Warn', 'Audit'] };
    const hook = hookOf(
      { policy: 'counted', spec, matches: true, bindings: [{ name: 'b', spec, matches: true }] },
      undefined,
    );
    const caches = new FakeCaches();
    caches.put('', 'namespaces', { metadata: { name: 'a' } });
    const environment = {
      namespaces: new ObjectLister(caches, '', 'namespaces'),
      authorize: () => ({ allowed: true, reason: '' }),
    };
    const kind = { group: '', version: 'v1', kind: 'Pod' };
    const resource = { group: '', version: 'v1', resource: 'pods' };
    const named = { namespace: 'a', name: 'p', subresource: '', dryRun: false };
    const request = new PolicyRequest(attributesOf({ operation: 'CREATE', kind, resource, ...named }), environment);
    const evaluate = (): Steps<PolicyResult> => doneWith({ decisions, annotations: [annotation] });
    const counted = await countedBy('apiserver_validating_admission_policy_check_total', () =>
      inSlices(new ValidatingDispatch(request, evaluate).run([hook])),
    );
    const line = (action: string, type: string): string =>
      `apiserver_validating_admission_policy_check_total{enforcement_action="${action}",error_type="${type}",policy="counted",policy_binding="b"} 1`;
    assert.deepEqual(counted, [
      line('allow', 'compile_error'),
      line('audit', 'invalid_error'),
      line('deny', 'invalid_error'),
      line('deny', 'out_of_budget'),
      line('warn', 'invalid_error'),
    ]);
  });
});
