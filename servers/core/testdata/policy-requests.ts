import { recordedRequest, type RecordedRequest } from './recorded-request.ts';

/** Of networks, rights, admission and what registers. */
export const policyRequests: readonly RecordedRequest[] = [
  recordedRequest('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
    spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
  }),
  recordedRequest('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
    spec: {
      podSelector: {},
      ingress: [
        {
          from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '11.0.0.0/8', '10.0.0.0/8'] } }],
          ports: [{ port: 80, endPort: 70 }],
        },
      ],
    },
  }),
  recordedRequest('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
    spec: {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: '00.0.0.0/08', except: ['10.1.0.0/16', '0.1.0.0/016'] } }] }],
    },
  }),
  recordedRequest('networking.k8s.io', 'v1', 'ingresses', 'Ingress', {
    spec: {
      rules: [
        {
          host: 'a.b',
          http: {
            paths: [
              {
                pathType: 'Prefix',
                path: '/a//b/..',
                backend: { service: { name: 's', port: { name: 'x', number: 1 } } },
              },
            ],
          },
        },
      ],
    },
  }),
  recordedRequest('rbac.authorization.k8s.io', 'v1', 'roles', 'Role', {
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }],
  }),
  recordedRequest('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', {
    addressType: 'IPv6',
    endpoints: [{ addresses: ['fd00::0001'] }],
    ports: [{ port: 1 }],
  }),
  recordedRequest(
    'networking.k8s.io',
    'v1',
    'servicecidrs',
    'ServiceCIDR',
    { spec: { cidrs: ['10.0.0.0/8', '10.0.0.1/24'] } },
    false,
  ),
  recordedRequest('networking.k8s.io', 'v1', 'servicecidrs', 'ServiceCIDR', { spec: {} }, false),
  recordedRequest(
    'networking.k8s.io',
    'v1',
    'ingressclasses',
    'IngressClass',
    { spec: { controller: 'a/ b', parameters: { kind: '', name: 'a/b', scope: 'Namespace', apiGroup: 'A' } } },
    false,
  ),
  recordedRequest(
    'networking.k8s.io',
    'v1',
    'ingressclasses',
    'IngressClass',
    { spec: { controller: 'a', parameters: { kind: 'K', name: 'n', namespace: 'x' } } },
    false,
  ),
  recordedRequest(
    'admissionregistration.k8s.io',
    'v1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    {
      spec: {
        policyName: 'A',
        validationActions: [],
        paramRef: {
          name: 'a/b',
          selector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
          parameterNotFoundAction: 'Odd',
        },
        matchResources: {
          matchPolicy: 'Odd',
          excludeResourceRules: [
            {
              resourceNames: ['a', 'a', '..'],
              apiGroups: [''],
              apiVersions: ['*', 'v1'],
              operations: ['*', 'CREATE'],
              resources: ['*', 'pods', '*/*', '', '*/log', 'a/log'],
            },
          ],
        },
      },
    },
    false,
  ),
  recordedRequest(
    'admissionregistration.k8s.io',
    'v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    {
      spec: {
        paramKind: { apiVersion: 'A/V', kind: '1' },
        matchConstraints: {},
        variables: [
          { name: 'for', expression: '1' },
          { name: ' ', expression: ' ' },
        ],
        auditAnnotations: [
          { key: 'a', valueExpression: '"a"' },
          { key: 'a', valueExpression: '' },
        ],
        validations: [
          { expression: 'true', message: 'a\nb', reason: 'Odd' },
          { expression: 'true', message: ' ', messageExpression: ' ' },
        ],
        matchConditions: [
          { name: 'a', expression: ' ' },
          { name: 'a', expression: 'true' },
        ],
      },
    },
    false,
  ),
  recordedRequest(
    'admissionregistration.k8s.io',
    'v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    { spec: { paramKind: { apiVersion: 'a/b/c', kind: '' } } },
    false,
  ),
  recordedRequest(
    'admissionregistration.k8s.io',
    'v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    {
      webhooks: [
        {
          name: 'A.b.c',
          sideEffects: 'None',
          admissionReviewVersions: ['v1', 'v1', 'V'],
          clientConfig: { url: 'https://u:p@h/p?q#f' },
          failurePolicy: 'Odd',
          matchPolicy: 'Odd',
          reinvocationPolicy: 'Odd',
        },
        {
          name: 'a.b.c',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { name: '', namespace: 'n', path: 'a//B/', port: 0 } },
          rules: [
            {
              operations: ['CREATE'],
              apiGroups: ['*', ''],
              apiVersions: [''],
              resources: ['pods/*', 'pods/log'],
              scope: 'Odd',
            },
          ],
        },
        { name: 'a.b.c', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig: { url: 'https://' } },
      ],
    },
    false,
  ),
  recordedRequest(
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    {
      webhooks: [
        { name: 'a.b.c', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig: { url: 'https://a%zz/' } },
        {
          name: '',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://a:b/' },
          namespaceSelector: { matchLabels: { 'a b': 'c d' } },
        },
      ],
    },
    false,
  ),
  recordedRequest(
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    {
      webhooks: [
        'h{',
        'h|',
        ' ',
        'h\\',
        'h"<>',
        'h%7B',
        'h%25',
        'é',
        'h[a',
        '[a',
        'a]',
        '[::1]:x',
        'h:1:2',
        'a:b@c{',
        'h:',
      ].map((host, index) => ({
        name: `a${index}.b.c`,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: `https://${host}/x` },
      })),
    },
    false,
  ),
  recordedRequest(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'flowschemas',
    'FlowSchema',
    {
      spec: {
        matchingPrecedence: 1,
        priorityLevelConfiguration: { name: 'A' },
        rules: [
          {
            subjects: [
              { kind: 'ServiceAccount', user: { name: 'u' } },
              { kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: '' } },
              { kind: 'Odd' },
              { kind: 'Group', group: { name: '' }, user: { name: 'u' } },
            ],
            resourceRules: [
              { verbs: ['odd'], apiGroups: ['*', 'a'], resources: [], namespaces: ['A'] },
              { verbs: ['*', 'get'], apiGroups: [], resources: ['*', 'a'] },
            ],
            nonResourceRules: [
              { verbs: ['get'], nonResourceURLs: ['', '/', '/a b', '//', '/*/a', '/a*'] },
              { verbs: ['get'], nonResourceURLs: ['*', '/a'] },
            ],
          },
        ],
      },
    },
    false,
  ),
  recordedRequest(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    {
      spec: {
        type: 'Limited',
        exempt: {},
        limited: {
          nominalConcurrencyShares: -1,
          lendablePercent: 101,
          borrowingLimitPercent: -1,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 11, queueLengthLimit: -1 } },
        },
      },
    },
    false,
  ),
  recordedRequest(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { spec: { type: 'Exempt', limited: { limitResponse: { type: 'Odd' } } } },
    false,
  ),
  recordedRequest(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: { queues: 1 } } } } },
    false,
  ),
  recordedRequest('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { a: 'b' } }],
  }),
];
