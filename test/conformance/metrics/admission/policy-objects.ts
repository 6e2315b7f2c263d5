import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { CountedRequest } from '#test/conformance/metrics/requests.ts';

const group = 'admissionregistration.k8s.io';

interface Policy {
  readonly spec: JsonObject;
  readonly actions?: readonly string[];
}

const validation = (expression: string, more: JsonObject = {}): JsonObject => ({
  validations: [{ expression, ...more }],
});
const condition = (expression: string): JsonObject => ({ matchConditions: [{ name: 'c', expression }] });
const missing = 'object.data.none == "a"';

/** Policies for ConfigMaps whose label names them. */
export const validatingPolicies: Readonly<Record<string, Policy>> = {
  admit: { spec: validation('true') },
  deny: { spec: validation('false', { message: 'no' }) },
  warn: { spec: validation('false'), actions: ['Warn'] },
  audit: { spec: validation('false'), actions: ['Audit'] },
  'warn-audit': { spec: validation('false'), actions: ['Warn', 'Audit'] },
  compilation: { spec: validation('false', { message: 'compilation is what this begins with' }) },
  fail: { spec: validation(missing) },
  'fail-open': { spec: { ...validation(missing), failurePolicy: 'Ignore' } },
  several: { spec: { validations: ['true', 'false', missing].map((expression) => ({ expression })) } },
  excluded: { spec: { ...validation('false'), ...condition('false') } },
  'condition-fails': { spec: { ...validation('true'), ...condition(missing) } },
  'condition-fails-open': { spec: { ...validation('true'), ...condition(missing), failurePolicy: 'Ignore' } },
  annotation: { spec: { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.data.none)' }] } },
};

const mutation = (expression: string): JsonObject => ({
  mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  reinvocationPolicy: 'Never',
});
const labelled = 'Object{metadata: Object.metadata{annotations: {"a": "b"}}}';

export const mutatingPolicies: Readonly<Record<string, Policy>> = {
  change: { spec: mutation(labelled) },
  'change-again': { spec: { ...mutation(labelled), reinvocationPolicy: 'IfNeeded' } },
  fail: { spec: mutation('Object{metadata: Object.metadata{annotations: {"a": object.data.none}}}') },
  'fail-open': {
    spec: {
      ...mutation('Object{metadata: Object.metadata{annotations: {"a": object.data.none}}}'),
      failurePolicy: 'Ignore',
    },
  },
  excluded: { spec: { ...mutation(labelled), ...condition('false') } },
};

/** The requests that make policies of one kind, each with a binding. */
export function policyRequests(
  kind: 'Mutating' | 'Validating',
  policies: Readonly<Record<string, Policy>>,
): CountedRequest[] {
  const path = `/apis/${group}/v1/${kind.toLowerCase()}admission`;
  const create = (resource: string, kindName: string, name: string, spec: JsonObject): CountedRequest => ({
    method: 'POST',
    path: path + resource,
    body: { apiVersion: `${group}/v1`, kind: kindName, metadata: { name }, spec },
  });
  return Object.entries(policies).flatMap(([name, { spec, actions = ['Deny'] }]) => {
    const matchConstraints = {
      objectSelector: { matchLabels: { [`${kind.toLowerCase()}-policy`]: name } },
      resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    };
    const binding: JsonObject = {
      policyName: name,
      ...(kind === 'Validating' ? { validationActions: [...actions] } : {}),
    };
    return [
      create('policies', `${kind}AdmissionPolicy`, name, { matchConstraints, ...spec }),
      create('policybindings', `${kind}AdmissionPolicyBinding`, name, binding),
    ];
  });
}
