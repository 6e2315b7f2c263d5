import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { RuleWebhook } from './rule-webhook.ts';
import { writeKinds } from './write-kinds.ts';

/** Objects are subject to the rule that their label `rule` names. */
export const ruleLabel = 'rule';

const apiVersion = 'admissionregistration.k8s.io/v1';

/** An object to create, with the path of its collection. */
export interface NewObject {
  readonly path: string;
  readonly body: JsonObject;
}

export function configured(kind: string, name: string, rest: JsonObject): NewObject {
  const resource = kind.endsWith('Policy') ? kind.replace(/y$/, 'ies') : `${kind}s`;
  return {
    path: `/apis/${apiVersion}/${resource.toLowerCase()}`,
    body: { apiVersion, kind, metadata: { name }, ...rest },
  };
}

function subjects(name: string): JsonObject {
  return { objectSelector: { matchLabels: { [ruleLabel]: name } } };
}

function resourceRules(...operations: string[]): JsonObject[] {
  return writeKinds.map(({ group, resource }) => ({
    apiGroups: [group],
    apiVersions: ['*'],
    resources: [resource],
    operations,
  }));
}

const allRules = resourceRules('CREATE', 'UPDATE', 'DELETE');

/** A policy that refuses every object with its label, unless the spec says something else. */
export function denyingPolicy(name: string, spec: JsonObject = {}, constraints: JsonObject = {}): NewObject {
  return configured('ValidatingAdmissionPolicy', name, {
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: allRules, ...subjects(name), ...constraints },
      validations: [{ expression: 'false', message: 'never' }],
      ...spec,
    },
  });
}

export function denyingBinding(name: string, spec: JsonObject = {}): NewObject {
  return configured('ValidatingAdmissionPolicyBinding', name, {
    spec: { policyName: name, validationActions: ['Deny'], ...spec },
  });
}

/** A policy that refuses while its parameter, which has the name of the policy, says so. */
export function policyWithParams(name: string, paramKind: JsonObject, expression: string): NewObject {
  return denyingPolicy(name, { paramKind, validations: [{ expression, message: 'never' }] });
}

/** A process that does not know the parameter would let pass what it refuses. */
export function bindingWithParams(name: string, namespace: string, selected: JsonObject = { name }): NewObject {
  return denyingBinding(name, { paramRef: { ...selected, namespace, parameterNotFoundAction: 'Allow' } });
}

/** A policy that gives every object with its label the label `marked`, and its binding. */
export function markingPolicy(name: string): NewObject[] {
  const expression = 'Object{metadata: Object.metadata{labels: {"marked": "yes"}}}';
  return [
    configured('MutatingAdmissionPolicy', name, {
      spec: {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        matchConstraints: { resourceRules: resourceRules('CREATE'), ...subjects(name) },
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      },
    }),
    configured('MutatingAdmissionPolicyBinding', name, { spec: { policyName: name } }),
  ];
}

/** The configuration of a webhook about every object with its label. */
export function webhookConfiguration(
  kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration',
  name: string,
  webhook: RuleWebhook,
  more: JsonObject = {},
): NewObject {
  return configured(kind, name, {
    webhooks: [
      {
        name: 'rules.example.com',
        clientConfig: webhook.clientConfig(kind.startsWith('Mutating') ? 'mark' : 'deny'),
        rules: allRules,
        ...subjects(name),
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
        ...more,
      },
    ],
  });
}
