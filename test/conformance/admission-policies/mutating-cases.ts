import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { applyMap, createMap, updateMap, type CaseRequest, type PolicyCase } from './policy-case.ts';

const merge = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const mutate = (mutations: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  reinvocationPolicy: 'Never',
  mutations: [...mutations],
  ...more,
});

const life: readonly CaseRequest[] = [
  createMap({ a: 'x' }, '?dryRun=All'),
  createMap({ a: 'x' }),
  updateMap({ a: 'y' }),
  applyMap({ a: 'z' }),
  applyMap({ b: 'z' }),
];

/** A list of no type, which is no list of patches. */
const untyped = [patch('[]')];

/** Mutations of a ConfigMap that succeed or fail. */
const mutations: readonly (readonly JsonObject[])[] = [
  [merge("Object{data: {'added': 'yes'}}")],
  [
    merge(
      "Object{metadata: Object.metadata{labels: {'l': 'v'}, annotations: {'n': object.data.size() == 1 ? 'a' : 'b'}}}",
    ),
  ],
  [merge("Object{data: {'a': 'changed'}}"), merge("Object{data: {'b': object.data.a + '!'}}")],
  [merge('Object{}')],
  [merge('Object{immutable: true}')],
  [merge("Object{spec: Object.spec{a: 'b'}}")],
  [merge("Object{metadata: Object.spec{name: 'b'}}")],
  [merge("Object{data: Object.data{a: 'b'}}")],
  [merge("Object{metadata: Object.metadata{finalizers: ['a.b/c']}}")],
  [merge("Object{metadata: Object.metadata{labels: {'l': 1}}}")],
  [merge("Object{data: {'a': object.data.missing}}")],
  [merge("has(object.data.missing) ? Object{data: {'c': 'd'}} : Object{}")],
  [patch("[JSONPatch{op: 'add', path: '/data/added', value: 'yes'}]")],
  [patch("[JSONPatch{op: 'remove', path: '/data/a'}, JSONPatch{op: 'add', path: '/data/c', value: 'd'}]")],
  [
    patch(
      "[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'replace', path: '/data/a', value: 'tested'}]",
    ),
  ],
  [
    patch(
      "[JSONPatch{op: 'test', path: '/data/a', value: 'other'}, JSONPatch{op: 'replace', path: '/data/a', value: 'no'}]",
    ),
  ],
  [patch("[JSONPatch{op: 'remove', path: '/data/missing'}]")],
  [patch("[JSONPatch{op: 'replace', path: '/data/missing', value: 'x'}]")],
  [patch("[JSONPatch{op: 'add', path: '/missing/member', value: 'x'}]")],
  [patch("[JSONPatch{op: 'add', path: '/spec', value: Object.spec{a: 'b'}}]")],
  [patch("[JSONPatch{op: 'add', path: '/data/n', value: 1}]")],
  [patch("[JSONPatch{op: 'add', path: '/data', value: {'only': 'this'}}]")],
  [patch("[JSONPatch{op: 'copy', from: '/data/a', path: '/data/copy'}]")],
  [patch("[JSONPatch{op: 'move', from: '/data/a', path: '/data/moved'}]")],
  [patch("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c~d'), value: 'v'}]")],
  [patch("[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'k': string(variables.n)}}]")],
  [patch("[JSONPatch{op: 'odd', path: '/data/a'}]")],
  [patch("[JSONPatch{op: 'add', path: '/data/a', value: null}]")],
  [patch("[JSONPatch{op: 'replace', path: '/kind', value: 'Other'}]")],
  untyped,
  [patch("[JSONPatch{op: 'add', path: '/data/a', value: 'p'}]"), merge("Object{data: {'b': object.data.a}}")],
  [merge("Object{data: {'o': oldObject == null ? 'none' : oldObject.data.a}}")],
  [merge("Object{data: {'r': request.operation + request.name + string(request.dryRun)}}")],
  [merge("Object{data: {'n': namespaceObject.metadata.labels.team}}")],
  [merge("Object{data: {'u': string(authorizer.path('/a').check('get').allowed())}}")],
];
const mutationCases: readonly PolicyCase[] = mutations.flatMap((list, index) =>
  ['Fail', 'Ignore'].map((failurePolicy): PolicyCase => ({
    name: `mutation ${index} ${failurePolicy}`,
    kind: 'Mutating',
    isRefused: list === untyped,
    policies: [mutate(list, { failurePolicy, variables: [{ name: 'n', expression: 'object.data.size()' }] })],
    requests: life,
  })),
);

const count =
  "Object{metadata: Object.metadata{annotations: {'runs-@': has(object.metadata.annotations) && 'runs-@' in object.metadata.annotations ? object.metadata.annotations['runs-@'] + 'x' : 'x'}}}";
const reinvocationCases: readonly PolicyCase[] = ['Never', 'IfNeeded'].flatMap((first) =>
  ['Never', 'IfNeeded'].map((second): PolicyCase => ({
    name: `reinvocation ${first} ${second}`,
    kind: 'Mutating',
    policies: [
      mutate([merge(count.replaceAll('@', '1'))], { reinvocationPolicy: first }),
      mutate([merge(count.replaceAll('@', '2'))], { reinvocationPolicy: second }),
    ],
    requests: [createMap(), updateMap({ a: 'y' }), applyMap({ a: 'z' })],
  })),
);

const conditionCases: readonly PolicyCase[] = ['Fail', 'Ignore'].flatMap((failurePolicy) =>
  ["object.data.a == 'x'", "object.data.a == 'y'", "object.data.missing == 'x'"].map((expression): PolicyCase => ({
    name: `condition ${failurePolicy} ${expression}`,
    kind: 'Mutating',
    policies: [
      mutate([merge("Object{data: {'added': 'yes'}}")], {
        failurePolicy,
        matchConditions: [{ name: 'c', expression }],
      }),
    ],
    requests: life,
  })),
);

const deploymentRules = {
  matchConstraints: {
    resourceRules: [
      {
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['deployments', 'deployments/*'],
      },
    ],
    objectSelector: { matchLabels: { case: '@' } },
  },
};
const ofContainer = (container: string): string =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{${container}}}}}`;
const deploymentMutations: readonly (readonly JsonObject[])[] = [
  [merge(ofContainer("containers: [Object.spec.template.spec.containers{name: 'side', image: 's'}]"))],
  [
    merge(
      ofContainer(
        "containers: [Object.spec.template.spec.containers{name: 'c', env: [Object.spec.template.spec.containers.env{name: 'E', value: 'v'}]}]",
      ),
    ),
  ],
  [merge(ofContainer("containers: [Object.spec.template.spec.containers{name: 'c', args: ['a']}]"))],
  [merge(ofContainer("tolerations: [Object.spec.template.spec.tolerations{key: 'k', operator: 'Exists'}]"))],
  [merge(ofContainer("nodeSelector: {'a': 'b'}"))],
  [merge('Object{spec: Object.spec{replicas: object.spec.replicas + 1}}')],
  [merge("Object{spec: Object.spec{replicas: '3'}}")],
  [merge("Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}")],
  [
    patch(
      "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'side', image: 's'}}]",
    ),
  ],
  [patch("[JSONPatch{op: 'add', path: '/spec/template/spec/containers/0/resources/limits', value: {'cpu': '1000m'}}]")],
  [patch("[JSONPatch{op: 'replace', path: '/spec/replicas', value: 7}]")],
  [patch("[JSONPatch{op: 'replace', path: '/spec/replicas', value: 'x'}]")],
  [patch("[JSONPatch{op: 'add', path: '/spec/unknown', value: 7}]")],
  [patch("[JSONPatch{op: 'add', path: '/spec/template/metadata/creationTimestamp', value: null}]")],
];
const deploymentCases: readonly PolicyCase[] = deploymentMutations.map((list, index) => ({
  name: `deployment ${index}`,
  kind: 'Mutating',
  policies: [mutate(list, deploymentRules)],
  requests: [
    {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/policies/deployments',
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: '@', labels: { case: '@' } },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    },
    { method: 'PATCH', path: '/apis/apps/v1/namespaces/policies/deployments/@', body: { spec: { paused: true } } },
    {
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/policies/deployments/@/status',
      body: { status: { replicas: 3 } },
    },
    { method: 'PATCH', path: '/apis/apps/v1/namespaces/policies/deployments/@/scale', body: { spec: { replicas: 4 } } },
  ],
}));

/** What random policies found: results that the type of the object refuses, or that are of another version. */
const unsuitable = (resource: string, group: string, apiVersion: string): JsonObject => ({
  matchConstraints: {
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [apiVersion],
        operations: ['CREATE', 'UPDATE'],
        resources: [resource],
      },
    ],
    ...(resource.includes('/') ? {} : { objectSelector: { matchLabels: { case: '@' } } }),
  },
});
const spec = (text: string): JsonObject => merge(`Object{spec: Object.spec{${text}}}`);
const annotation = merge("Object{metadata: Object.metadata{annotations: {'a': 'b'}}}");
const lease = (path: string, method: string): CaseRequest => ({
  method,
  path: `/apis/coordination.k8s.io/v1/namespaces/policies/leases${path}`,
  body: {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: '@', labels: { case: '@' } },
    spec: { holderIdentity: 'x', leaseDurationSeconds: 5 },
  },
});
const unsuitableCases: readonly PolicyCase[] = ['Fail', 'Ignore'].flatMap((failurePolicy): PolicyCase[] => [
  ...[spec("renewTime: 'x'"), patch("[JSONPatch{op: 'add', path: '/spec/renewTime', value: 'x'}]")].map(
    (mutation, at): PolicyCase => ({
      name: `time that is none ${at} ${failurePolicy}`,
      kind: 'Mutating',
      policies: [mutate([mutation], { failurePolicy, ...unsuitable('leases', 'coordination.k8s.io', 'v1') })],
      requests: [lease('', 'POST')],
    }),
  ),
  {
    name: `events of another group ${failurePolicy}`,
    kind: 'Mutating',
    policies: [mutate([annotation], { failurePolicy, ...unsuitable('events', 'events.k8s.io', 'v1') })],
    requests: [
      {
        method: 'POST',
        path: '/api/v1/namespaces/policies/events?dryRun=All',
        body: {
          metadata: { name: 'e', labels: { case: '@' } },
          involvedObject: { namespace: 'policies' },
          reason: 'r',
          type: 'Normal',
        },
      },
    ],
  },
  {
    name: `another version ${failurePolicy}`,
    kind: 'Mutating',
    policies: [mutate([annotation], { failurePolicy, ...unsuitable('horizontalpodautoscalers', 'autoscaling', 'v1') })],
    requests: [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/namespaces/policies/horizontalpodautoscalers?dryRun=All',
        body: {
          metadata: { name: 'h', labels: { case: '@' } },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
        },
      },
    ],
  },
]);

export const mutatingCases: readonly PolicyCase[] = [
  ...mutationCases,
  ...reinvocationCases,
  ...conditionCases,
  ...deploymentCases,
  ...unsuitableCases,
];
