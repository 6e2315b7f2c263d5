import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { group } from './param-cases.ts';
import type { CaseRequest } from './policy-case.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';

/** The kinds of parameters whose objects each server has to look for. */
const kinds = [
  { apiVersion: `${group}/v1`, kind: 'Limit' },
  { apiVersion: `${group}/v2`, kind: 'Limit' },
  { apiVersion: `${group}/v1`, kind: 'Bound' },
];

function matching(name: string): JsonObject {
  return {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { marker: name } },
  };
}

function rule(kind: 'Validating' | 'Mutating', name: string, policy: JsonObject, binding: JsonObject): CaseRequest[] {
  const path = `${registration}/${kind.toLowerCase()}admissionpolic`;
  return [
    {
      method: 'POST',
      path: `${path}ies`,
      body: { metadata: { name }, spec: { matchConstraints: matching(name), failurePolicy: 'Ignore', ...policy } },
    },
    { method: 'POST', path: `${path}ybindings`, body: { metadata: { name }, spec: { policyName: name, ...binding } } },
  ];
}

/** A policy that is made behind all others, and a write that shows whether it acts: the others act then, too. */
export interface Marker {
  readonly requests: readonly CaseRequest[];
  readonly probe: CaseRequest;
  readonly acts: (answer: Exchange) => boolean;
}

const plain: Marker = {
  requests: rule('Validating', 'marker', { validations: [{ expression: 'false' }] }, { validationActions: ['Deny'] }),
  probe: probe('marker'),
  acts: ({ status }) => status === 422,
};

/** Is there only where {@link paramPreparation} is. */
const ofParams = kinds.map((paramKind, at): Marker => ({
  requests: rule(
    'Validating',
    `marker-${at}`,
    { paramKind, validations: [{ expression: 'params == null' }] },
    { paramRef: { name: 'one', parameterNotFoundAction: 'Deny' }, validationActions: ['Deny'] },
  ),
  probe: probe(`marker-${at}`),
  acts: ({ status }) => status === 422,
}));

const mutating: Marker = {
  requests: rule(
    'Mutating',
    'marker-mutating',
    {
      reinvocationPolicy: 'Never',
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"marked": "yes"}}' } },
      ],
    },
    {},
  ),
  probe: probe('marker-mutating'),
  acts: ({ body }) => objectAt(body, 'data') !== undefined,
};

export function markersFor(has: { readonly params: boolean; readonly mutating: boolean }): Marker[] {
  return [plain, ...(has.params ? ofParams : []), ...(has.mutating ? [mutating] : [])];
}

function probe(name: string): CaseRequest {
  return {
    method: 'POST',
    path: '/api/v1/namespaces/policies/configmaps?dryRun=All',
    body: { metadata: { name, labels: { marker: name } } },
  };
}
