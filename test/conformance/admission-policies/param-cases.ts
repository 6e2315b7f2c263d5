import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { createMap, type BindingCase, type CaseRequest, type PolicyCase } from './policy-case.ts';

export const group = 'policies.example.com';

function post(path: string, body: JsonObject): CaseRequest {
  return { method: 'POST', path, body };
}

const version = (name: string, storage: boolean): JsonObject => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            word: { type: 'string', default: 'default' },
            number: { type: 'number' },
            list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
          },
        },
      },
    },
  },
});

function definition(plural: string, kind: string, scope: string): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [version('v1', true), version('v2', false)],
    },
  };
}

/** What all cases with parameters, or for custom resources, need. */
export const paramPreparation: readonly CaseRequest[] = [
  post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition('limits', 'Limit', 'Namespaced')),
  post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition('bounds', 'Bound', 'Cluster')),
];

/** Where the objects are, once they are served. */
export const paramPaths = [
  `/apis/${group}/v1/namespaces/policies/limits`,
  `/apis/${group}/v2/namespaces/policies/limits`,
  `/apis/${group}/v1/bounds`,
];

/** Sent when {@link paramPaths} are served. */
export const paramObjects: readonly CaseRequest[] = ['one', 'two'].flatMap((name): CaseRequest[] => [
  post('/api/v1/namespaces/policies/configmaps', {
    metadata: { name: `param-${name}`, labels: { param: name, all: 'yes' } },
    data: { word: name },
  }),
  post(`/apis/${group}/v1/namespaces/policies/limits`, {
    apiVersion: `${group}/v1`,
    kind: 'Limit',
    metadata: { name, labels: { param: name, all: 'yes' } },
    spec: { word: name, number: 1.5 },
  }),
  post(`/apis/${group}/v1/bounds`, {
    apiVersion: `${group}/v1`,
    kind: 'Bound',
    metadata: { name, labels: { param: name, all: 'yes' } },
    spec: name === 'one' ? { word: name } : {},
  }),
]);

interface Kind {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly word: string;
  readonly object: (name: string) => string;
}

const kinds: readonly Kind[] = [
  {
    name: 'built-in',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    word: 'params.data.word',
    object: (name) => `param-${name}`,
  },
  { name: 'custom', apiVersion: `${group}/v1`, kind: 'Limit', word: 'params.spec.word', object: (name) => name },
  { name: 'other version', apiVersion: `${group}/v2`, kind: 'Limit', word: 'params.spec.word', object: (name) => name },
  { name: 'cluster', apiVersion: `${group}/v1`, kind: 'Bound', word: 'params.spec.word', object: (name) => name },
  { name: 'namespace', apiVersion: 'v1', kind: 'Namespace', word: 'params.metadata.name', object: () => 'policies' },
  {
    name: 'missing kind',
    apiVersion: `${group}/v1`,
    kind: 'Missing',
    word: 'params.spec.word',
    object: (name) => name,
  },
];

function references(kind: Kind): readonly JsonObject[] {
  return [
    { name: kind.object('one') },
    { name: kind.object('one'), namespace: 'policies' },
    { name: kind.object('one'), namespace: 'default' },
    { name: 'missing' },
    { selector: {} },
    { selector: { matchLabels: { param: 'two' } } },
    { selector: { matchLabels: { param: 'none' } } },
    { selector: { matchExpressions: [{ key: 'all', operator: 'Exists' }] }, namespace: 'policies' },
  ];
}

const limitPath = `/apis/${group}/v1/namespaces/policies/limits`;
const limit = (spec: JsonObject): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Limit',
  metadata: { name: '@', labels: { case: '@' } },
  spec,
});
const constraintsOf = (resource: string, matchPolicy: string, apiVersion = 'v1', apiGroup = group): JsonObject => ({
  matchConstraints: {
    matchPolicy,
    resourceRules: [
      {
        apiGroups: [apiGroup],
        apiVersions: [apiVersion],
        operations: ['CREATE', 'UPDATE'],
        resources: [resource, `${resource}/*`],
      },
    ],
    objectSelector: { matchLabels: { case: '@' } },
  },
});

function paramCase(kind: Kind, reference: JsonObject, at: number, action: string, failurePolicy: string): PolicyCase {
  const bindings: readonly (readonly BindingCase[])[] = [
    [{ spec: { paramRef: { parameterNotFoundAction: action, ...reference }, validationActions: ['Warn'] } }],
  ];
  const policy = {
    failurePolicy,
    paramKind: { apiVersion: kind.apiVersion, kind: kind.kind },
    validations: [
      {
        expression: `object == null || ${kind.word} == 'other'`,
        messageExpression: `${kind.word} + ' ' + params.kind + ' ' + params.apiVersion + ' ' + params.metadata.name`,
      },
    ],
  };
  const name = `params ${kind.name} ${at} ${action} ${failurePolicy}`;
  return { name, kind: 'Validating', policies: [policy], bindings, requests: [createMap({ a: 'b' })] };
}

const collected: readonly PolicyCase[] = kinds.flatMap((kind) =>
  references(kind).flatMap((reference, at) =>
    ['Allow', 'Deny'].flatMap((action) =>
      ['Fail', 'Ignore'].map((failurePolicy) => paramCase(kind, reference, at, action, failurePolicy)),
    ),
  ),
);

const customRequests: readonly CaseRequest[] = [
  post(limitPath, limit({ word: 'bad', number: 2 })),
  post(limitPath, limit({ word: 'good', number: 1.0, list: ['a'] })),
  {
    method: 'PATCH',
    path: `/apis/${group}/v2/namespaces/policies/limits/@`,
    body: { spec: { word: 'better' } },
  },
  { method: 'PATCH', path: `${limitPath}/@`, body: { spec: { word: 'bad' } } },
  { method: 'DELETE', path: `${limitPath}/@` },
];

const versions = ['v1', 'v2', '*'].flatMap((apiVersion) =>
  ['Exact', 'Equivalent'].map((matchPolicy) => ({ apiVersion, matchPolicy })),
);
const customCases: readonly PolicyCase[] = versions.flatMap(({ apiVersion, matchPolicy }): PolicyCase[] => [
  {
    name: `custom resource ${apiVersion} ${matchPolicy}`,
    kind: 'Validating',
    policies: [
      {
        ...constraintsOf('limits', matchPolicy, apiVersion),
        validations: [
          {
            expression: "object.spec.word != 'bad' && type(object.spec.number) != string",
            messageExpression:
              "object.apiVersion + ' ' + request.kind.version + ' ' + request.resource.version + ' ' + request.requestKind.version + ' ' + (type(object.spec.number) == double ? 'double' : type(object.spec.number) == int ? 'int' : 'other')",
          },
        ],
      },
    ],
    requests: customRequests,
  },
  {
    name: `changed custom resource ${apiVersion} ${matchPolicy}`,
    kind: 'Mutating',
    policies: [
      {
        ...constraintsOf('limits', matchPolicy, apiVersion),
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: "Object{spec: Object.spec{list: ['added'], number: 3}}" },
          },
          {
            patchType: 'JSONPatch',
            jsonPatch: {
              expression: "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'by': request.kind.version}}]",
            },
          },
        ],
      },
    ],
    requests: customRequests,
  },
]);

const atomicCases: readonly PolicyCase[] = [
  "Object{spec: Object.spec{whole: {'a': 'b'}}}",
  "Object{spec: Object.spec{unknown: 'x'}}",
  'Object{spec: Object.spec{word: 1}}',
  "Object{metadata: Object.metadata{labels: {'l': 'v'}}}",
  'Object{spec: Object.spec{number: 1.5}}',
].map((expression, at) => ({
  name: `changed custom resource ${at}`,
  kind: 'Mutating',
  policies: [
    {
      ...constraintsOf('limits', 'Equivalent'),
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    },
  ],
  requests: customRequests,
}));

/** Custom resources judged by parameters, and registrations of servers. */
const elsewhereCases: readonly PolicyCase[] = [
  ...kinds.slice(0, 4).map((kind): PolicyCase => ({
    name: `custom resource with params ${kind.name}`,
    kind: 'Validating',
    policies: [
      {
        ...constraintsOf('limits', 'Equivalent'),
        paramKind: { apiVersion: kind.apiVersion, kind: kind.kind },
        validations: [{ expression: 'object.spec.word == "good"', messageExpression: `string(${kind.word})` }],
      },
    ],
    bindings: [
      [{ spec: { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' }, validationActions: ['Warn'] } }],
    ],
    requests: customRequests,
  })),
  {
    name: 'custom resource with params built-in, stored in another version',
    kind: 'Validating',
    before: [
      post('/apis/autoscaling/v2/namespaces/policies/horizontalpodautoscalers', {
        metadata: { name: '@' },
        spec: { maxReplicas: 7, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
      }),
    ],
    policies: [
      {
        ...constraintsOf('limits', 'Equivalent'),
        paramKind: { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
        validations: [
          {
            expression: 'object.spec.word == "good"',
            messageExpression: 'params.apiVersion + " " + string(params.spec.maxReplicas)',
          },
        ],
      },
    ],
    bindings: [[{ spec: { paramRef: { name: '@', parameterNotFoundAction: 'Deny' }, validationActions: ['Warn'] } }]],
    requests: customRequests,
  },
  {
    name: 'registration of a server',
    kind: 'Validating',
    policies: [
      {
        ...constraintsOf('apiservices', 'Equivalent', 'v1', 'apiregistration.k8s.io'),
        validations: [{ expression: "object.spec.version != 'v9'", message: 'not v9' }],
      },
    ],
    requests: ['v9', 'v8'].map((one) =>
      post('/apis/apiregistration.k8s.io/v1/apiservices', {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `${one}.@.example.com`, labels: { case: '@' } },
        spec: {
          group: '@.example.com',
          version: one,
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { name: 's', namespace: 'policies' },
        },
      }),
    ),
  },
  {
    name: 'definition',
    kind: 'Validating',
    policies: [
      {
        ...constraintsOf('customresourcedefinitions', 'Equivalent', 'v1', 'apiextensions.k8s.io'),
        validations: [{ expression: "object.spec.scope == 'Cluster'", message: 'not namespaced' }],
      },
    ],
    requests: [
      post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        ...definition('things', 'Thing', 'Namespaced'),
        metadata: { name: `things.${group}`, labels: { case: '@' } },
      }),
    ],
  },
];

export const paramCases: readonly PolicyCase[] = [...collected, ...customCases, ...atomicCases, ...elsewhereCases];
