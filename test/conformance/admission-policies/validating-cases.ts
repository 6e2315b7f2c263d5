import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { applyMap, createMap, deleteMap, updateMap, type CaseRequest, type PolicyCase } from './policy-case.ts';

const validate = (...validations: readonly JsonObject[]): JsonObject => ({ validations: [...validations] });
const when = (expression: string, more: JsonObject = {}): JsonObject => ({ expression, ...more });

/** Creates, updates, applies and deletes, with values that differ in `data.a`. */
const life: readonly CaseRequest[] = [
  createMap({ a: 'bad' }),
  createMap({ a: 'good' }, '?dryRun=All'),
  createMap({ a: 'good' }),
  updateMap({ a: 'bad' }),
  updateMap({ a: 'better' }),
  applyMap({ a: 'bad' }),
  applyMap({ a: 'good', b: 'c' }),
  deleteMap(),
];

const reasons = ['', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const reasonCases: readonly PolicyCase[] = reasons.map((reason) => ({
  name: `reason ${reason}`,
  kind: 'Validating',
  policies: [
    validate(when("object.data.a != 'bad'", { message: ' no bad ones ', ...(reason === '' ? {} : { reason }) })),
  ],
  requests: life,
}));

const actions = [['Deny'], ['Warn'], ['Audit'], ['Warn', 'Audit'], ['Deny', 'Audit']];
const actionCases: readonly PolicyCase[] = actions.map((validationActions) => ({
  name: `actions ${validationActions.join('-')}`,
  kind: 'Validating',
  policies: [validate(when("oldObject == null || object == null || object.data.a != 'bad'"), when('false'))],
  bindings: [[{ spec: { validationActions } }]],
  requests: life,
}));

const messages: readonly JsonObject[] = [
  { messageExpression: "'no ' + object.data.a" },
  { messageExpression: "'  no ' + object.data.a + '  '", message: 'plain' },
  { messageExpression: "''", message: 'plain' },
  { messageExpression: "' '" },
  { messageExpression: 'string(object.data.missing)', message: 'plain' },
  { messageExpression: "'a\\nb'", message: 'plain' },
  { messageExpression: "'a\\nb'" },
  { messageExpression: "object.data.a + '0123456789'.replace('0', '0123456789'.replace('5', '0123456789'))" },
  { messageExpression: "[1,2,3].map(i, 'x').join(object.data.a)" },
  { message: '  spaces  ' },
  {
    messageExpression: "string(request.userInfo.username) + ' ' + request.operation + ' ' + request.resource.resource",
  },
  { messageExpression: "namespaceObject.metadata.name + ' ' + namespaceObject.status.phase" },
  { messageExpression: 'string(variables.size)' },
];
const messageCases: readonly PolicyCase[] = messages.map((more, index) => ({
  name: `message ${index}`,
  kind: 'Validating',
  policies: [{ ...validate(when('false', more)), variables: [{ name: 'size', expression: 'object.data.size()' }] }],
  requests: [createMap({ a: 'bad', b: 'c' })],
}));

const failurePolicies = ['Fail', 'Ignore'];
const failing: readonly JsonObject[] = [
  validate(when('object.data.missing == "x"')),
  validate(when('object.data.missing == "x"', { message: 'plain', reason: 'Forbidden' })),
  { ...validate(when('variables.bad == 1')), variables: [{ name: 'bad', expression: 'object.data.missing' }] },
  {
    ...validate(when('variables.twice == 1 || variables.bad == 1')),
    variables: [
      { name: 'bad', expression: 'object.data.missing' },
      { name: 'twice', expression: 'variables.bad' },
    ],
  },
  { ...validate(when('true')), matchConditions: [{ name: 'm', expression: 'object.data.missing == "x"' }] },
  {
    ...validate(when('false')),
    matchConditions: [
      { name: 'm', expression: 'object.data.missing == "x"' },
      { name: 'n', expression: "object.data.a == 'x'" },
    ],
  },
  { ...validate(when('true')), auditAnnotations: [{ key: 'k', valueExpression: 'string(object.data.missing)' }] },
  { auditAnnotations: [{ key: 'k', valueExpression: "object.data.a == 'bad' ? '' : 'v'" }] },
  validate(when('true'), when('object.data.missing == "x"'), when('false', { reason: 'Forbidden' })),
];
const failureCases: readonly PolicyCase[] = failing.flatMap((spec, index) =>
  failurePolicies.map((failurePolicy): PolicyCase => ({
    name: `failure ${index} ${failurePolicy}`,
    kind: 'Validating',
    policies: [{ ...spec, failurePolicy }],
    requests: [createMap({ a: 'bad' }), updateMap({ a: 'bad' }), deleteMap()],
  })),
);

const loops = (depth: number): string => {
  const list = '[1,2,3,4,5,6,7,8,9,10]';
  let text = 'a0 + 1 > 0';
  for (let at = depth - 1; at >= 0; at--) text = `${list}.all(a${at}, ${text})`;
  return text;
};
const costCases: readonly PolicyCase[] = failurePolicies.flatMap((failurePolicy): PolicyCase[] => [
  {
    name: `cost of a call ${failurePolicy}`,
    kind: 'Validating',
    policies: [
      {
        failurePolicy,
        ...validate(
          when(
            "authorizer.path('/a').check('get').allowed() || authorizer.path('/b').check('get').allowed() || !authorizer.path('/c').check('get').errored()",
          ),
        ),
      },
    ],
    requests: [createMap()],
  },
  {
    name: `cost of a policy ${failurePolicy}`,
    kind: 'Validating',
    policies: [
      {
        failurePolicy,
        variables: [{ name: 'v', expression: loops(4) }],
        validations: Array.from({ length: 80 }, (_, at) => when(`variables.v && ${loops(4)} && ${at} >= 0`)),
      },
    ],
    requests: [createMap()],
  },
]);

const requestCases: readonly PolicyCase[] = [
  {
    name: 'deletion and its object',
    kind: 'Validating',
    policies: [validate(when("request.operation != 'DELETE' || oldObject.data.a != 'kept'", { message: 'kept' }))],
    requests: [createMap({ a: 'kept' }), deleteMap(), updateMap({ a: 'free' }), deleteMap()],
  },
  {
    name: 'deletion of a collection',
    kind: 'Validating',
    policies: [validate(when("request.operation != 'DELETE' || oldObject.data.a != 'kept'", { message: 'kept' }))],
    requests: [
      createMap({ a: 'kept' }, '', '@-1'),
      createMap({ a: 'free' }, '', '@-2'),
      { method: 'DELETE', path: '/api/v1/namespaces/policies/configmaps?labelSelector=case%3D@' },
    ],
  },
  {
    name: 'request as a message',
    kind: 'Validating',
    policies: [
      validate(
        when('false', {
          messageExpression: [
            'request.operation',
            'request.name',
            'request.namespace',
            'string(request.dryRun)',
            'request.kind.kind + request.kind.version + request.kind.group',
            'request.resource.resource + request.requestResource.resource + request.requestKind.kind',
            'request.userInfo.username',
            'string(request.userInfo.groups.size())',
            'string(has(request.userInfo.uid))',
            'string(has(request.subResource))',
            "(has(request.options.fieldManager) ? string(request.options.fieldManager) : '-')",
            'string(request.options.kind)',
            'string(has(request.options.dryRun))',
          ].join(" + ' ' + "),
        }),
      ),
    ],
    requests: [
      createMap(),
      createMap({ a: 'b' }, '?dryRun=All&fieldManager=me'),
      createMap({ a: 'b' }, '', ''),
      applyMap({ a: 'b' }),
    ],
  },
  {
    name: 'two policies and two bindings',
    kind: 'Validating',
    policies: [
      validate(when("object == null || object.data.a != 'bad'", { message: 'first', reason: 'Forbidden' })),
      validate(when("object == null || object.data.a != 'worse'", { message: 'second' })),
    ],
    bindings: [[{ spec: { validationActions: ['Warn'] } }, { spec: { validationActions: ['Warn'] } }], [{}]],
    requests: [createMap({ a: 'bad' }, '?dryRun=All'), createMap({ a: 'worse' }), createMap({ a: 'good' })],
  },
  {
    name: 'annotations of audit',
    kind: 'Validating',
    policies: [
      {
        ...validate(when('true')),
        auditAnnotations: [
          { key: 'a', valueExpression: "' ' + object.data.a + ' '" },
          { key: 'b', valueExpression: 'null' },
          { key: 'c', valueExpression: "''" },
        ],
      },
    ],
    requests: [createMap()],
  },
  {
    name: 'authorizer',
    kind: 'Validating',
    policies: [
      validate(
        when("authorizer.group('').resource('configmaps').namespace('policies').check('create').allowed()"),
        when('authorizer.requestResource.check("create").allowed()'),
        when(
          "!authorizer.serviceAccount('policies', 'none').group('').resource('configmaps').check('create').allowed()",
        ),
      ),
      validate(
        when("authorizer.path('/healthz').check('get').allowed()"),
        when("authorizer.group('').resource('').check('x').allowed()"),
      ),
    ],
    requests: [createMap()],
  },
];

/** Which of the objects of a deployment are there: what Go prints of its type. */
const typed = [
  'has(object.status)',
  'has(object.spec.strategy)',
  'has(object.spec.template.spec.containers[0].resources)',
  'has(object.spec.template.spec.containers[0].resources.limits)',
  'has(object.spec.template.metadata.creationTimestamp)',
  'has(object.metadata.creationTimestamp)',
  'has(object.metadata.uid)',
  'has(object.metadata.generation)',
  'has(object.metadata.managedFields)',
  'string(object.metadata.size())',
  'string(object.size())',
  'string(object.spec.size())',
  'string(object.status.size())',
  "object.kind + ' ' + object.apiVersion",
  'string(object.spec.replicas)',
  'string(object.spec.template.spec.size())',
  'string(object.spec.template.spec.containers[0].size())',
  "type(object.spec.strategy.rollingUpdate.maxSurge) == string ? 'string' : 'int'",
];
const typedCase: PolicyCase = {
  name: 'members of a typed object',
  kind: 'Validating',
  policies: [
    {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments', 'deployments/*'] },
        ],
        objectSelector: { matchLabels: { case: '@' } },
      },
      validations: typed.map((text) =>
        when('false', { messageExpression: text.startsWith('has') ? `string(${text})` : text }),
      ),
    },
  ],
  bindings: [[{ spec: { validationActions: ['Warn'] } }]],
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
    { method: 'PATCH', path: '/apis/apps/v1/namespaces/policies/deployments/@', body: { spec: { replicas: 3 } } },
    {
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/policies/deployments/@/status',
      body: { status: { replicas: 3 } },
    },
    { method: 'PATCH', path: '/apis/apps/v1/namespaces/policies/deployments/@/scale', body: { spec: { replicas: 4 } } },
    { method: 'DELETE', path: '/apis/apps/v1/namespaces/policies/deployments/@' },
  ],
};

export const validatingCases: readonly PolicyCase[] = [
  ...reasonCases,
  ...actionCases,
  ...messageCases,
  ...failureCases,
  ...costCases,
  ...requestCases,
  typedCase,
];
