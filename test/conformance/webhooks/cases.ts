import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { configMap, configMaps, create, ruleFor, simple } from './case.ts';
import type { WebhookCase, WebhookRequest } from './case.ts';

const onDeployments = { rules: [ruleFor(['deployments', 'deployments/scale', 'deployments/status'], ['apps'])] };

function deployment(name: string): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
}

const deployments = '/apis/apps/v1/namespaces/default/deployments';

const answers = [
  'allow',
  'deny',
  'deny-status',
  'deny-reason',
  'deny-200',
  'deny-details',
  'deny-999',
  'deny-201',
  'deny-negative',
  'deny-long',
  'warn',
  'warn-odd',
  'warn-much',
  'annotate',
  'no-response',
  'other-uid',
  'no-kind',
  'bad-json',
  'text',
  'empty',
  '10mb',
  '500',
  '404',
  'slow',
  'reset',
  'hang',
  'label',
  'patch-no-type',
  'patch-other-type',
  'patch-type-only',
];

const patches = [
  'patch-missing',
  'patch-test',
  'patch-odd-op',
  'patch-no-list',
  'patch-no-json',
  'patch-none',
  'patch-null',
  'patch-unchanged',
  'patch-unknown-field',
  'patch-type',
  'patch-no-kind',
  'patch-name',
  'patch-invalid',
  'patch-managers',
  'patch-kind',
  'patch-version',
];

export const cases: readonly WebhookCase[] = [
  ...answers.flatMap((does) => [...simple(does, 'validating'), ...simple(does, 'mutating')]),
  ...patches.flatMap((does) => simple(does, 'mutating')),
  {
    name: 'all verbs',
    webhooks: [
      { does: 'label', kind: 'mutating' },
      { does: 'allow', kind: 'validating' },
    ],
    requests: [
      create('verbs'),
      { method: 'PUT', path: `${configMaps}/verbs`, body: configMap('verbs', { data: { c: 'd' } }) },
      { method: 'PATCH', path: `${configMaps}/verbs`, body: { data: { e: 'f' } } },
      {
        method: 'PATCH',
        path: `${configMaps}/verbs?fieldManager=m`,
        body: configMap('verbs', { data: { g: 'h' } }),
        type: 'application/apply-patch+yaml',
      },
      {
        method: 'PATCH',
        path: `${configMaps}/applied?fieldManager=m`,
        body: configMap('applied'),
        type: 'application/apply-patch+yaml',
      },
      { method: 'DELETE', path: `${configMaps}/applied` },
      { method: 'DELETE', path: configMaps, body: { kind: 'DeleteOptions', apiVersion: 'v1' } },
    ],
  },
  {
    name: 'generated names',
    webhooks: [{ does: 'deny', kind: 'mutating' }],
    requests: [{ method: 'POST', path: `${configMaps}?dryRun=All`, body: { metadata: { generateName: 'g-' } } }],
  },
  ...['None', 'NoneOnDryRun'].map((sideEffects) => ({
    name: `dry run, side effects ${sideEffects}`,
    webhooks: [{ does: 'label', kind: 'mutating' as const, spec: { sideEffects } }],
    requests: [create('dry', {}, '?dryRun=All')],
  })),
  {
    name: 'owned fields of what a webhook changed',
    webhooks: [{ does: 'patch-data', kind: 'mutating' }],
    before: [],
    requests: [
      create('owned'),
      { method: 'PATCH', path: `${configMaps}/owned?fieldManager=n`, body: { data: { x: 'y' } } },
      { method: 'GET', path: `${configMaps}/owned` },
      { method: 'DELETE', path: `${configMaps}/owned` },
    ],
  },
  {
    name: 'reinvocation',
    webhooks: [
      { does: 'count', kind: 'mutating', spec: { reinvocationPolicy: 'IfNeeded' } },
      { does: 'label-again', kind: 'mutating' },
      { does: 'count', kind: 'mutating' },
    ],
    requests: [create('again'), { method: 'DELETE', path: `${configMaps}/again` }],
  },
  {
    name: 'no reinvocation of what changes nothing',
    explained:
      'the reference holds the time of a new entry of managedFields in nanoseconds, so that each patch seems to change it',
    webhooks: [
      { does: 'allow', kind: 'mutating', spec: { reinvocationPolicy: 'IfNeeded' } },
      { does: 'patch-unchanged', kind: 'mutating' },
    ],
    requests: [create('unchanged', {}, '?dryRun=All')],
  },
  {
    name: 'a deployment, its scale and its status',
    explained: 'mutating webhooks are shown the newest manager of a Scale without its time',
    webhooks: [
      { does: 'patch-replicas', kind: 'mutating', spec: onDeployments },
      { does: 'allow', kind: 'validating', spec: onDeployments },
    ],
    requests: [
      { method: 'POST', path: deployments, body: deployment('scaled') },
      { method: 'PATCH', path: `${deployments}/scaled/scale`, body: { spec: { replicas: 2 } } },
      { method: 'PATCH', path: `${deployments}/scaled/status`, body: { status: { replicas: 1 } } },
      { method: 'GET', path: `${deployments}/scaled` },
      { method: 'DELETE', path: `${deployments}/scaled?propagationPolicy=Background` },
    ],
  },
  {
    name: 'a pod, its binding and a connection to it',
    sideBySide: true,
    webhooks: [
      { does: 'patch-image', kind: 'mutating', spec: { rules: [ruleFor(['pods'])], failurePolicy: 'Ignore' } },
      { does: 'allow', kind: 'validating', spec: { rules: [ruleFor(['pods', 'pods/*'])] } },
      { does: 'deny', kind: 'validating', spec: { rules: [{ ...ruleFor(['pods/exec']), operations: ['CONNECT'] }] } },
    ],
    requests: [
      {
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
      {
        method: 'POST',
        path: '/api/v1/namespaces/default/pods/p/binding',
        body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
      },
      { method: 'POST', path: '/api/v1/namespaces/default/pods/p/exec?command=a&container=c&stdout=true' },
      { method: 'GET', path: '/api/v1/namespaces/default/pods/p/log' },
      { method: 'DELETE', path: '/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0' },
    ],
  },
  {
    name: 'options of deletions',
    webhooks: [{ does: 'allow', kind: 'validating', spec: { rules: [ruleFor(['pods', 'namespaces', 'configmaps'])] } }],
    requests: [
      ...[undefined, { gracePeriodSeconds: -5 }, { gracePeriodSeconds: 3 }].flatMap((body): WebhookRequest[] => [
        create('graceful'),
        { method: 'DELETE', path: `${configMaps}/graceful`, body },
        {
          method: 'POST',
          path: '/api/v1/namespaces/default/pods',
          body: { metadata: { name: 'q' }, spec: { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' } },
        },
        { method: 'DELETE', path: '/api/v1/namespaces/default/pods/q', body },
        { method: 'DELETE', path: '/api/v1/namespaces/default/pods/q', body: { gracePeriodSeconds: 2 } },
        { method: 'DELETE', path: '/api/v1/namespaces/default/pods/q', body: { gracePeriodSeconds: 0 } },
      ]),
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'in-place' } } },
      { method: 'DELETE', path: '/api/v1/namespaces/in-place', body: { gracePeriodSeconds: -5 } },
      { method: 'DELETE', path: '/api/v1/namespaces/in-place' },
    ],
  },
  {
    name: 'subresources that change a part of their parent',
    webhooks: [
      {
        does: 'patch-image',
        kind: 'mutating',
        spec: { rules: [{ ...ruleFor(['pods/ephemeralcontainers', 'pods/resize']), operations: ['UPDATE'] }] },
      },
      { does: 'label', kind: 'mutating', spec: { rules: [ruleFor(['pods/ephemeralcontainers'])] } },
    ],
    requests: [
      {
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: { metadata: { name: 'r' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/default/pods/r/ephemeralcontainers',
        body: { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
      },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/default/pods/r/resize',
        body: { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }] } },
        type: 'application/strategic-merge-patch+json',
      },
      { method: 'DELETE', path: '/api/v1/namespaces/default/pods/r?gracePeriodSeconds=0' },
    ],
  },
  {
    name: 'namespaces and their selector',
    webhooks: [
      {
        does: 'deny',
        kind: 'validating',
        spec: {
          rules: [ruleFor(['namespaces', 'configmaps'])],
          namespaceSelector: { matchLabels: { guarded: 'yes' } },
        },
      },
    ],
    requests: [
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'free' } } },
      {
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { metadata: { name: 'guarded', labels: { guarded: 'yes' } } },
      },
      { method: 'PATCH', path: '/api/v1/namespaces/free', body: { metadata: { labels: { guarded: 'yes' } } } },
      { method: 'POST', path: '/api/v1/namespaces/free/configmaps', body: configMap('a') },
      { method: 'POST', path: '/api/v1/namespaces/missing/configmaps', body: configMap('a') },
      { method: 'DELETE', path: '/api/v1/namespaces/free' },
    ],
  },
  {
    name: 'object selector, old and new object',
    webhooks: [{ does: 'deny', kind: 'validating', spec: { objectSelector: { matchLabels: { a: 'b' } } } }],
    before: [create('selected', { metadata: { name: 'selected', labels: { a: 'b' } } })],
    requests: [
      create('other'),
      create('labeled', { metadata: { name: 'labeled', labels: { a: 'b' } } }),
      { method: 'PATCH', path: `${configMaps}/selected`, body: { metadata: { labels: { a: null } } } },
      { method: 'DELETE', path: `${configMaps}/selected` },
      { method: 'DELETE', path: `${configMaps}/other` },
    ],
  },
  {
    name: 'match conditions',
    webhooks: [
      {
        does: 'deny',
        kind: 'validating',
        spec: {
          matchConditions: [
            { name: 'named', expression: "object.metadata.name.startsWith('denied')" },
            { name: 'by', expression: "request.userInfo.username == 'admin'" },
          ],
        },
      },
    ],
    requests: [create('denied'), create('passed', {}, '?dryRun=All')],
  },
  ...['Fail', 'Ignore'].map((failurePolicy) => ({
    name: `a match condition that fails, ${failurePolicy}`,
    webhooks: [
      {
        does: 'deny',
        kind: 'validating' as const,
        spec: { failurePolicy, matchConditions: [{ name: 'c', expression: "object.data.missing == 'x'" }] },
      },
    ],
    requests: [create('conditions', {}, '?dryRun=All')],
  })),
  {
    name: 'events in both groups',
    webhooks: [
      {
        does: 'label',
        kind: 'mutating',
        spec: { rules: [{ ...ruleFor(['events'], ['events.k8s.io']), apiVersions: ['v1'] }] },
      },
    ],
    requests: [
      {
        method: 'POST',
        path: '/api/v1/namespaces/default/events',
        body: { metadata: { name: 'e' }, involvedObject: { namespace: 'default' }, reason: 'r', type: 'Normal' },
      },
    ],
  },
  {
    name: 'autoscalers in the version of the rule',
    webhooks: [
      {
        does: 'label',
        kind: 'mutating',
        spec: { rules: [{ ...ruleFor(['horizontalpodautoscalers'], ['autoscaling']), apiVersions: ['v1'] }] },
      },
      {
        does: 'deny',
        kind: 'validating',
        spec: {
          matchPolicy: 'Exact',
          rules: [{ ...ruleFor(['horizontalpodautoscalers'], ['autoscaling']), apiVersions: ['v1'] }],
        },
      },
    ],
    requests: [
      {
        method: 'POST',
        path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        body: {
          metadata: { name: 'h' },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
            metrics: [
              { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } },
            ],
          },
        },
      },
      { method: 'DELETE', path: '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/h' },
    ],
  },
  {
    name: 'APIServices and definitions',
    webhooks: [
      {
        does: 'deny',
        kind: 'validating',
        spec: { rules: [ruleFor(['apiservices', 'customresourcedefinitions'], ['*'])] },
      },
      { does: 'label', kind: 'mutating', spec: { rules: [ruleFor(['apiservices'], ['*'])] } },
    ],
    requests: [
      {
        method: 'POST',
        path: '/apis/apiregistration.k8s.io/v1/apiservices',
        body: {
          metadata: { name: 'v1.odd.io' },
          spec: {
            group: 'odd.io',
            version: 'v1',
            groupPriorityMinimum: 1,
            versionPriority: 1,
            service: { name: 'a', namespace: 'b' },
            insecureSkipTLSVerify: true,
          },
        },
      },
    ],
  },
  {
    name: 'rules of users are exempt, reviews are not',
    webhooks: [
      {
        does: 'deny',
        kind: 'validating',
        spec: { rules: [ruleFor(['*'], ['admissionregistration.k8s.io', 'authorization.k8s.io'])] },
      },
    ],
    requests: [
      {
        method: 'POST',
        path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All',
        body: { metadata: { name: 'other' } },
      },
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
      },
    ],
  },
  {
    name: 'v1beta1 reviews',
    webhooks: [{ does: 'label', kind: 'mutating', spec: { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] } }],
    requests: [create('beta', {}, '?dryRun=All')],
  },
  {
    name: 'several side by side, one of which denies',
    sideBySide: true,
    webhooks: [
      { does: 'slow', kind: 'validating' },
      { does: 'deny', kind: 'validating' },
      { does: 'warn', kind: 'validating' },
      { does: 'label', kind: 'mutating' },
    ],
    requests: [create('several')],
  },
];
