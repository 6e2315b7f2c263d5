import type { JsonObject } from '../../../shared/apimachinery/json.ts';

/** A creation that the reference was asked for, as a dry run. */
export interface RecordedRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly body: JsonObject;
}

const container = { name: 'c', image: 'nginx' };
const labels = { app: 'a' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [container] } };
const metadata = { name: 'recorded' };

function request(
  group: string,
  version: string,
  resource: string,
  kind: string,
  content: JsonObject,
  namespaced = true,
): RecordedRequest {
  return {
    group,
    version,
    resource,
    namespaced,
    body: { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { ...metadata }, ...content },
  };
}

/** Defaults and errors of the kinds whose outcome no admission plugin touches. */
export const requests: readonly RecordedRequest[] = [
  request('apps', 'v1', 'deployments', 'Deployment', { spec: { selector, template } }),
  request('apps', 'v1', 'deployments', 'Deployment', {
    spec: {
      replicas: -1,
      selector: { matchLabels: { other: 'x' } },
      template,
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } },
    },
  }),
  request('apps', 'v1', 'daemonsets', 'DaemonSet', { spec: { selector, template } }),
  request('apps', 'v1', 'statefulsets', 'StatefulSet', {
    spec: {
      selector,
      template,
      serviceName: 's',
      volumeClaimTemplates: [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  }),
  request('batch', 'v1', 'cronjobs', 'CronJob', {
    spec: {
      schedule: '61 * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    },
  }),
  request('batch', 'v1', 'cronjobs', 'CronJob', {
    spec: {
      schedule: '@hourly',
      timeZone: 'Europe/Berlin',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    },
  }),
  request('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      behavior: { scaleUp: {} },
    },
  }),
  request('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
    spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
  }),
  request('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
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
  request('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
    spec: {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: '00.0.0.0/08', except: ['10.1.0.0/16', '0.1.0.0/016'] } }] }],
    },
  }),
  request('networking.k8s.io', 'v1', 'ingresses', 'Ingress', {
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
  request('', 'v1', 'limitranges', 'LimitRange', {
    spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }] },
  }),
  request('', 'v1', 'limitranges', 'LimitRange', {
    spec: {
      limits: [
        { type: 'Container', max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '500m' } },
        { type: 'Container' },
        { type: 'odd' },
      ],
    },
  }),
  request('', 'v1', 'resourcequotas', 'ResourceQuota', {
    spec: { hard: { 'requests.cpu': '1', pods: '2' }, scopes: ['BestEffort', 'Terminating', 'NotTerminating'] },
  }),
  request('', 'v1', 'endpoints', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
  }),
  request('', 'v1', 'endpoints', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '127.0.0.1', hostname: 'A' }] }, { ports: [{ port: 1 }] }],
  }),
  request('', 'v1', 'podtemplates', 'PodTemplate', {
    template: {
      spec: {
        containers: [{ ...container, livenessProbe: { httpGet: { port: 80 } }, ports: [{ containerPort: 80 }] }],
        hostNetwork: true,
        volumes: [{ name: 'v', secret: { secretName: 's' } }, { name: 'w' }],
      },
    },
  }),
  request('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', { spec: { minAvailable: '101%', selector } }),
  request('rbac.authorization.k8s.io', 'v1', 'roles', 'Role', {
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }],
  }),
  request('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', { spec: {} }, false),
  request('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', { provisioner: 'a.b/c' }, false),
  request('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', { value: 1_000_000_001 }, false),
  request('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', {
    addressType: 'IPv6',
    endpoints: [{ addresses: ['fd00::0001'] }],
    ports: [{ port: 1 }],
  }),
  request(
    'node.k8s.io',
    'v1',
    'runtimeclasses',
    'RuntimeClass',
    { handler: 'h', overhead: { podFixed: { memory: '-1', odd: '1' } } },
    false,
  ),
  request('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      minReplicas: 0,
      maxReplicas: -1,
      scaleTargetRef: { apiVersion: 'a/b/c', kind: 'a/b', name: 'n%' },
      metrics: [
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Service', name: 's' },
            metric: { name: 'm' },
            target: { type: 'Utilization', value: '0' },
          },
          pods: { metric: { name: 'm' }, target: { type: '', averageValue: '-1' } },
        },
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'odd',
            container: 'C',
            target: { type: 'Utilization', averageUtilization: 0, averageValue: '1' },
          },
        },
      ],
    },
  }),
  request('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      maxReplicas: 1,
      scaleTargetRef: { kind: 'ReplicationController', name: 'n' },
      metrics: [
        { type: '' },
        {
          type: 'External',
          external: { metric: { name: 'a' }, target: { type: 'Value', value: '1', averageValue: '1' } },
        },
      ],
      behavior: {
        scaleUp: { selectPolicy: 'Odd', policies: [], stabilizationWindowSeconds: -1, tolerance: '-1' },
        scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1801 }] },
      },
    },
  }),
  request(
    'storage.k8s.io',
    'v1',
    'csidrivers',
    'CSIDriver',
    {
      spec: {
        fsGroupPolicy: 'X',
        volumeLifecycleModes: ['Z', 'Ephemeral'],
        nodeAllocatableUpdatePeriodSeconds: 9,
        serviceAccountTokenInSecrets: true,
      },
    },
    false,
  ),
  request(
    'storage.k8s.io',
    'v1',
    'csidrivers',
    'CSIDriver',
    {
      spec: {
        tokenRequests: [
          { audience: 'a', expirationSeconds: 599 },
          { audience: 'a' },
          { audience: '', expirationSeconds: 4_294_967_297 },
        ],
      },
    },
    false,
  ),
  request(
    'storage.k8s.io',
    'v1',
    'csinodes',
    'CSINode',
    {
      spec: {
        drivers: [
          { name: 'A_', nodeID: '', topologyKeys: ['', 'a', 'a'], allocatable: { count: -1 } },
          { name: 'a', nodeID: 'n', topologyKeys: null },
          { name: 'a', nodeID: 'n', topologyKeys: null },
        ],
      },
    },
    false,
  ),
  request(
    'storage.k8s.io',
    'v1',
    'volumeattachments',
    'VolumeAttachment',
    { spec: { attacher: '', nodeName: 'N', source: {} } },
    false,
  ),
  request(
    'storage.k8s.io',
    'v1',
    'volumeattachments',
    'VolumeAttachment',
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: '' } } },
    false,
  ),
  request('storage.k8s.io', 'v1', 'csistoragecapacities', 'CSIStorageCapacity', {
    storageClassName: 'A',
    capacity: '-1',
    nodeTopology: { matchLabels: { '-': 'b' } },
  }),
  request(
    'storage.k8s.io',
    'v1',
    'volumeattributesclasses',
    'VolumeAttributesClass',
    { driverName: 'A B', parameters: {} },
    false,
  ),
  request(
    'networking.k8s.io',
    'v1',
    'servicecidrs',
    'ServiceCIDR',
    { spec: { cidrs: ['10.0.0.0/8', '10.0.0.1/24'] } },
    false,
  ),
  request('networking.k8s.io', 'v1', 'servicecidrs', 'ServiceCIDR', { spec: {} }, false),
  request(
    'networking.k8s.io',
    'v1',
    'ingressclasses',
    'IngressClass',
    { spec: { controller: 'a/ b', parameters: { kind: '', name: 'a/b', scope: 'Namespace', apiGroup: 'A' } } },
    false,
  ),
  request(
    'networking.k8s.io',
    'v1',
    'ingressclasses',
    'IngressClass',
    { spec: { controller: 'a', parameters: { kind: 'K', name: 'n', namespace: 'x' } } },
    false,
  ),
  request(
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
  request(
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
  request(
    'admissionregistration.k8s.io',
    'v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    { spec: { paramKind: { apiVersion: 'a/b/c', kind: '' } } },
    false,
  ),
  request(
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
  request(
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
  request(
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
  request(
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
  request(
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
  request(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { spec: { type: 'Exempt', limited: { limitResponse: { type: 'Odd' } } } },
    false,
  ),
  request(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: { queues: 1 } } } } },
    false,
  ),
  request('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim', {
    spec: {
      devices: {
        requests: [
          {
            name: 'a',
            exactly: {
              deviceClassName: 'A_',
              allocationMode: 'All',
              count: 1,
              tolerations: [
                { operator: 'Odd', key: '-' },
                { operator: 'Exists', value: 'v', effect: 'Odd' },
              ],
            },
          },
          {
            name: 'a',
            firstAvailable: [
              { name: 's', deviceClassName: 'c', allocationMode: 'Odd' },
              { name: 's', deviceClassName: '' },
            ],
          },
          { name: 'b', exactly: { deviceClassName: 'c' }, firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
        ],
        constraints: [{ requests: ['a/s', 'a/t', 'a/b/c', 'a', 'a'], matchAttribute: 'a' }, { matchAttribute: 'A_/1' }],
        config: [
          {},
          { opaque: { driver: 'd', parameters: { a: 1 } } },
          { requests: ['z'], opaque: { driver: '', parameters: null } },
        ],
      },
    },
  }),
  request(
    'resource.k8s.io',
    'v1',
    'deviceclasses',
    'DeviceClass',
    { spec: { selectors: [{}], config: [{ opaque: { driver: 'A!', parameters: { a: 1 } } }] } },
    false,
  ),
  request('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: { selector: { matchLabels: { app: '-x' } }, template, updateStrategy: { type: 'Odd', rollingUpdate: {} } },
  }),
  request('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: {
      selector,
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '1', maxUnavailable: '10%' } },
    },
  }),
  request('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: {
      selector,
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '200', maxUnavailable: '200%' } },
    },
  }),
  request('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    },
  }),
  request('apps', 'v1', 'statefulsets', 'StatefulSet', {
    spec: {
      selector,
      serviceName: 's',
      template: { metadata: { labels: { ...labels, 'a b': '-' } }, spec: { containers: [container] } },
      volumeClaimTemplates: [{ metadata: { name: '' } }, { metadata: { name: '' } }],
    },
  }),
  request('batch', 'v1', 'cronjobs', 'CronJob', {
    spec: {
      schedule: ', * * * *',
      jobTemplate: {
        spec: {
          selector,
          podReplacementPolicy: '',
          podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'a' }] }] },
          template: { spec: { restartPolicy: 'Never', containers: [container] } },
        },
      },
    },
  }),
  request('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'Odd', name: 'n' },
    },
  }),
  request(
    '',
    'v1',
    'nodes',
    'Node',
    {
      spec: { podCIDRs: ['10.0.0.0/24', 'x'], configSource: {} },
      status: { declaredFeatures: ['b', 'A', 'A'], nodeInfo: { swap: { capacity: -1 } } },
    },
    false,
  ),
  request('', 'v1', 'podtemplates', 'PodTemplate', {
    template: {
      spec: {
        preemptionPolicy: '',
        os: {},
        initContainers: [{}, {}],
        containers: [
          {
            ...container,
            volumeDevices: [{ name: '', devicePath: '/x' }],
            volumeMounts: [{ name: '', mountPath: '/y' }],
          },
        ],
        resourceClaims: [{ name: 'a', resourceClaimName: 'A', resourceClaimTemplateName: '' }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'z',
            whenUnsatisfiable: 'DoNotSchedule',
            nodeAffinityPolicy: '',
            matchLabelKeys: ['a b'],
          },
        ],
      },
    },
  }),
  request(
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/x' },
        cephfs: {},
        flexVolume: {},
        volumeMode: '',
        volumeAttributesClassName: '',
      },
    },
    false,
  ),
  request('', 'v1', 'podtemplates', 'PodTemplate', {
    template: {
      spec: {
        containers: [container],
        volumes: [
          { name: 'a', csi: { driver: 'd.example.com/a' } },
          { name: 'b', csi: { driver: `D.${'x'.repeat(70)}`, nodePublishSecretRef: { name: 'A_' } } },
          { name: 'c', csi: { driver: 'd', nodePublishSecretRef: {} } },
          { name: 'd', csi: { driver: '' } },
        ],
      },
    },
  }),
  request(
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: `D_.${'x'.repeat(70)}`, volumeHandle: 'h' },
      },
    },
    false,
  ),
  request('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    spec: { selector, unhealthyPodEvictionPolicy: '' },
  }),
  request('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', { provisioner: '', volumeBindingMode: '' }, false),
  request('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', { spec: { preventPodSchedulingIfMissing: true } }, false),
  request('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { a: 'b' } }],
  }),
  request(
    'node.k8s.io',
    'v1',
    'runtimeclasses',
    'RuntimeClass',
    {
      handler: 'h',
      scheduling: {
        tolerations: [
          { operator: 'Exists', tolerationSeconds: 1, effect: 'NoExecute' },
          { operator: 'Exists', effect: 'NoExecute' },
        ],
      },
    },
    false,
  ),
  request('resource.k8s.io', 'v1', 'deviceclasses', 'DeviceClass', { spec: { extendedResourceName: 'cpu' } }, false),
  request('resource.k8s.io', 'v1', 'resourceclaimtemplates', 'ResourceClaimTemplate', {
    spec: { metadata: { finalizers: [], name: 'x' }, spec: {} },
  }),
];
