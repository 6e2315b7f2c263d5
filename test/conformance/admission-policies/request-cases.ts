import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { configMap, createMap, updateMap, type BindingCase, type CaseRequest, type PolicyCase } from './policy-case.ts';

const warns: readonly BindingCase[] = [{ spec: { validationActions: ['Warn'] } }];

function rule(groups: readonly string[], resources: readonly string[], more: JsonObject = {}): JsonObject {
  return { apiGroups: [...groups], apiVersions: ['*'], operations: ['*'], resources: [...resources], ...more };
}

function constraints(rules: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { matchConstraints: { resourceRules: [...rules], ...more } };
}

/** Validations that show the values of expressions as warnings. */
function shows(...texts: readonly string[]): JsonObject {
  return { validations: texts.map((messageExpression) => ({ expression: 'false', messageExpression })) };
}

function send(method: string, path: string, body?: JsonObject): CaseRequest {
  return { method, path, ...(body === undefined ? {} : { body }) };
}

const pods = '/api/v1/namespaces/policies/pods';
const pod = send('POST', pods, {
  metadata: { name: '@', labels: { case: '@' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});
const connections: readonly CaseRequest[] = [
  send('POST', `${pods}/@/exec?command=a&command=b&container=c&stdout=true&tty=true`),
  send('GET', `${pods}/@/exec?command=a`),
  send('POST', `${pods}/@/attach?stdin=true`),
  send('POST', `${pods}/@/portforward?ports=80`),
  send('GET', `${pods}/@/proxy/a/b?c=d`),
  send('GET', `${pods}/@/log`),
];
const connecting = rule([''], ['pods/*'], { operations: ['CONNECT'], resourceNames: ['@'] });

const connectionCases: readonly PolicyCase[] = [
  {
    name: 'connection as a message',
    kind: 'Validating',
    before: [pod],
    policies: [
      {
        ...constraints([connecting]),
        ...shows(
          "object.kind + ' ' + object.apiVersion + ' ' + string(object.size())",
          "request.operation + ' ' + request.subResource + ' ' + request.requestSubResource + ' ' + request.name",
          "request.kind.kind + ' ' + request.resource.resource + ' ' + string(has(request.options))",
          "string(oldObject == null) + ' ' + namespaceObject.metadata.name + ' ' + string(request.dryRun)",
          "has(object.command) ? object.command.join('+') : 'none'",
          'string(has(object.stdin)) + string(has(object.stdout)) + string(has(object.tty)) + string(has(object.metadata))',
          "has(object.ports) ? string(object.ports[0]) : has(object.path) ? string(object.path) : '-'",
        ),
      },
    ],
    bindings: [warns],
    requests: connections,
  },
  {
    name: 'connection denied',
    kind: 'Validating',
    before: [pod],
    policies: [
      {
        ...constraints([connecting]),
        validations: [
          { expression: "!has(object.command) || object.command[0] != 'a'", message: 'not a', reason: 'Forbidden' },
          { expression: "authorizer.requestResource.check('create').allowed()" },
        ],
      },
    ],
    requests: connections,
  },
  {
    name: 'connection and an object selector',
    kind: 'Validating',
    before: [pod],
    policies: [
      {
        ...constraints([connecting], {
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
        }),
        validations: [{ expression: 'false' }],
      },
    ],
    requests: connections,
  },
  ...[
    "[JSONPatch{op: 'add', path: '/container', value: 'other'}]",
    "[JSONPatch{op: 'test', path: '/a', value: 1}]",
  ].map((expression): PolicyCase => ({
    name: `connection patched ${expression}`,
    kind: 'Mutating',
    before: [pod],
    policies: [
      {
        ...constraints([connecting]),
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
      },
    ],
    requests: connections,
  })),
  {
    name: 'connection with an apply configuration',
    kind: 'Mutating',
    before: [pod],
    policies: [
      {
        ...constraints([connecting]),
        reinvocationPolicy: 'Never',
        mutations: [
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "Object{container: 'other'}" } },
        ],
      },
    ],
    requests: connections.slice(0, 3),
  },
];

const writes = { operations: ['CREATE', 'UPDATE'] };
const selections: readonly JsonObject[] = [
  {},
  { namespaceSelector: { matchLabels: { team: 'a' } } },
  { namespaceSelector: { matchLabels: { team: 'b' } } },
  { objectSelector: { matchExpressions: [{ key: 'case', operator: 'Exists' }] } },
  { objectSelector: { matchLabels: { other: 'x' } } },
  { resourceRules: [rule([''], ['configmaps'], { operations: ['UPDATE'] })] },
  { resourceRules: [rule([''], ['secrets'])] },
  { resourceRules: [rule([''], ['*'], { ...writes, resourceNames: ['@'] })] },
  { resourceRules: [rule([''], ['*'], { ...writes, resourceNames: ['other'] })] },
  { excludeResourceRules: [rule([''], ['configmaps'], { operations: ['CREATE'] })] },
  { excludeResourceRules: [rule(['*'], ['*/*'])] },
  { matchPolicy: 'Exact', resourceRules: [rule([''], ['configmaps'], { scope: 'Cluster' })] },
  { matchPolicy: 'Exact', resourceRules: [rule([''], ['configmaps'], { scope: 'Namespaced' })] },
];
const bindingCases: readonly PolicyCase[] = (['Validating', 'Mutating'] as const).flatMap((kind) =>
  selections.map((matchResources, at): PolicyCase => ({
    name: `match resources ${kind} ${at}`,
    kind,
    policies: [
      kind === 'Validating'
        ? shows("request.operation + ' matched'")
        : {
            reinvocationPolicy: 'Never',
            mutations: [
              {
                patchType: 'ApplyConfiguration',
                applyConfiguration: { expression: "Object{data: {'matched': 'yes'}}" },
              },
            ],
          },
    ],
    bindings: [[{ spec: { matchResources, ...(kind === 'Validating' ? { validationActions: ['Warn'] } : {}) } }]],
    requests: [
      createMap({ a: 'x' }),
      updateMap({ a: 'y' }),
      {
        method: 'PUT',
        path: '/api/v1/namespaces/policies/configmaps/@',
        body: { ...configMap({ a: 'z' }), metadata: { name: '@', labels: { other: 'x' } } },
      },
      { method: 'DELETE', path: '/api/v1/namespaces/policies/configmaps/@' },
    ],
  })),
);

const shown = shows(
  "request.kind.group + ' ' + request.kind.version + ' ' + request.kind.kind + ' ' + request.resource.version",
  "request.requestKind.group + ' ' + request.requestKind.version + ' ' + request.requestResource.group",
  "object == null ? 'none' : object.apiVersion + ' ' + object.kind + ' ' + string(object.size())",
  "oldObject == null ? 'none' : oldObject.apiVersion + ' ' + oldObject.kind",
);
const autoscaler = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/policies/horizontalpodautoscalers`;
const autoscalerRequests: readonly CaseRequest[] = [
  send('POST', autoscaler('v2'), {
    metadata: { name: '@', labels: { case: '@' } },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } },
      ],
    },
  }),
  send('PATCH', `${autoscaler('v1')}/@`, { spec: { minReplicas: 2 } }),
  send('PATCH', `${autoscaler('v1')}/@/status`, { status: { currentReplicas: 1, desiredReplicas: 2 } }),
  send('PATCH', `${autoscaler('v2')}/@`, { spec: { maxReplicas: 4 } }),
  send('DELETE', `${autoscaler('v2')}/@`),
];
const coreEvents = '/api/v1/namespaces/policies/events';
const newEvents = '/apis/events.k8s.io/v1/namespaces/policies/events';
const eventRequests: readonly CaseRequest[] = [
  send('POST', coreEvents, {
    metadata: { name: '@', labels: { case: '@' } },
    involvedObject: { namespace: 'policies' },
    reason: 'r',
    type: 'Normal',
  }),
  send('PATCH', `${newEvents}/@`, { note: 'n' }),
  send('DELETE', `${coreEvents}/@`),
  send('POST', newEvents, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: '@', labels: { case: '@' } },
    eventTime: '2026-01-01T00:00:00.000000Z',
    action: 'a',
    reason: 'r',
    type: 'Normal',
    reportingController: 'c.io/d',
    reportingInstance: 'i',
    regarding: { namespace: 'policies' },
  }),
  send('DELETE', `${newEvents}/@`),
];

interface Equivalents {
  readonly resource: string;
  readonly versions: readonly (readonly [string, string])[];
  readonly requests: readonly CaseRequest[];
}

const equivalents: readonly Equivalents[] = [
  {
    resource: 'horizontalpodautoscalers',
    versions: [
      ['autoscaling', 'v1'],
      ['autoscaling', 'v2'],
    ],
    requests: autoscalerRequests,
  },
  {
    resource: 'events',
    versions: [
      ['', 'v1'],
      ['events.k8s.io', 'v1'],
    ],
    requests: eventRequests,
  },
];
const ofCase = { objectSelector: { matchLabels: { case: '@' } } };
const equivalentCases: readonly PolicyCase[] = equivalents.flatMap(({ resource, versions, requests }) =>
  versions.flatMap(([group, version]) =>
    ['Exact', 'Equivalent'].flatMap((matchPolicy): PolicyCase[] => {
      const rules = (operations: readonly string[]): JsonObject =>
        constraints(
          [{ ...rule([group], [resource, `${resource}/*`]), apiVersions: [version], operations: [...operations] }],
          { ...ofCase, matchPolicy },
        );
      return [
        {
          name: `equivalent ${resource} ${group}/${version} ${matchPolicy}`,
          kind: 'Validating',
          policies: [{ ...rules(['*']), ...shown }],
          bindings: [warns],
          requests,
        },
        {
          name: `equivalent changed ${resource} ${group}/${version} ${matchPolicy}`,
          kind: 'Mutating',
          policies: [
            {
              ...rules(writes.operations),
              reinvocationPolicy: 'Never',
              mutations: [
                {
                  patchType: 'ApplyConfiguration',
                  applyConfiguration: {
                    expression:
                      "Object{metadata: Object.metadata{annotations: {'seen': object.apiVersion + string(object.size())}}}",
                  },
                },
              ],
            },
          ],
          requests,
        },
      ];
    }),
  ),
);

const scaled = '/apis/apps/v1/namespaces/policies/deployments';
const deployment = send('POST', scaled, {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: '@' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
const subresourceCases: readonly PolicyCase[] = [
  {
    name: 'scale as a message',
    kind: 'Validating',
    before: [deployment],
    policies: [
      {
        ...constraints([rule(['apps'], ['deployments/scale'], { resourceNames: ['@'] })]),
        ...shows(
          "object.kind + ' ' + object.apiVersion + ' ' + string(object.spec.replicas) + ' ' + object.status.selector",
          "oldObject.kind + ' ' + string(oldObject.spec.replicas) + ' ' + string(has(oldObject.metadata.managedFields))",
          'string(has(object.metadata.managedFields)) + string(object.metadata.size())',
          "has(object.metadata.managedFields) ? object.metadata.managedFields.map(m, m.manager + m.operation + m.subresource + string(has(m.time))).join() : '-'",
          "has(object.metadata.managedFields) ? object.metadata.managedFields.map(m, m.apiVersion).join() : '-'",
          "request.kind.kind + ' ' + request.resource.resource + ' ' + request.subResource",
        ),
      },
    ],
    bindings: [warns],
    requests: [
      send('PATCH', `${scaled}/@/scale`, { spec: { replicas: 4 } }),
      send('PATCH', `${scaled}/@/scale?fieldManager=other`, { spec: { replicas: 5 } }),
      send('GET', `${scaled}/@/scale`),
      send('PATCH', `${scaled}/@/scale?fieldManager=other`, { spec: { replicas: 5 } }),
    ],
  },
  {
    name: 'subresources of a pod as messages',
    kind: 'Validating',
    before: [pod],
    policies: [
      {
        ...constraints([rule([''], ['pods/*'], { operations: ['CREATE', 'UPDATE'], resourceNames: ['@'] })]),
        ...shows(
          "request.operation + ' ' + request.subResource + ' ' + request.kind.kind + ' ' + request.kind.version",
          "object.kind + ' ' + object.apiVersion + ' ' + string(object.size())",
          "oldObject == null ? '-' : string(oldObject.kind)",
          "string(has(request.options)) + ' ' + (has(request.options) ? string(request.options.kind) : '-')",
        ),
      },
    ],
    bindings: [warns],
    requests: [
      send('PATCH', `${pods}/@/status`, { status: { message: 'm' } }),
      send('PATCH', `${pods}/@/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } }),
      send('POST', `${pods}/@/binding`, { metadata: { name: '@' }, target: { kind: 'Node', name: 'n' } }),
      send('POST', `${pods}/@/eviction?dryRun=All`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: '@' },
      }),
    ],
  },
];

const selectorChecks = [
  "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=n').check('list')",
  "authorizer.group('').resource('pods').labelSelector('a=b,c in (d)').check('list')",
  "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=n').labelSelector('a').namespace('policies').check('watch')",
  "authorizer.group('').resource('pods').fieldSelector('odd,').check('list')",
  "authorizer.group('').resource('pods').labelSelector('a in').check('list')",
  "authorizer.serviceAccount('policies', 'none').group('').resource('pods').fieldSelector('spec.nodeName=n').check('list')",
  "authorizer.requestResource.fieldSelector('a=b').check('list')",
];

/** Checks of access with selectors; played without the gate that lets them count, too. */
export const selectorCases: readonly PolicyCase[] = selectorChecks.map((check, at) => ({
  name: `authorizer with selectors ${at}`,
  kind: 'Validating',
  policies: [
    {
      validations: [
        { expression: `${check}.allowed()` },
        { expression: `!${check}.allowed()` },
        { expression: `!${check}.errored()` },
        { expression: `${check}.reason() == 'none'` },
        { expression: `${check}.error() == 'none'` },
      ],
    },
  ],
  bindings: [warns],
  requests: [createMap()],
}));

const renames = [
  "[JSONPatch{op: 'replace', path: '/metadata/name', value: object.metadata.name + '-renamed'}]",
  "[JSONPatch{op: 'replace', path: '/metadata/namespace', value: 'default'}]",
];

/** Changes of the name: what the reference stores then is not asked for. */
const renamingCases: readonly PolicyCase[] = renames.map((expression) => ({
  name: `renaming ${expression}`,
  kind: 'Mutating',
  policies: [{ reinvocationPolicy: 'Never', mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }] }],
  requests: [
    {
      method: 'PATCH',
      path: '/api/v1/namespaces/policies/configmaps/@?fieldManager=m',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: configMap(),
    },
    createMap({ a: 'b' }, '?dryRun=All', '@-2'),
  ],
}));

export const requestCases: readonly PolicyCase[] = [
  ...connectionCases,
  ...bindingCases,
  ...equivalentCases,
  ...subresourceCases,
  ...selectorCases,
  ...renamingCases,
];
