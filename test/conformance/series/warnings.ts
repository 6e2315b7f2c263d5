import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { podAnnotationSeries } from './pod-annotations.ts';
import { podWarningSeries } from './pod-warnings.ts';
import type { Request, Series } from './series.ts';
import { tlsSecretSeries } from './tls-secrets.ts';

/** Spellings of addresses and networks; `v4` and `v6` are those that the family of a field allows. */
const v4 = ['10.1.2.3', '010.1.2.3', '10.01.2.03'];
const v6 = [
  'fd00::1',
  'FD00::1',
  'fd00:0::1',
  'fd00::0001',
  '::ffff:10.1.2.3',
  '::ffff:010.1.2.3',
  '::FFFF:a01:203',
  '::10.1.2.3',
  'fd00:0:0:1:0:0:0:1',
  'fd00:0:0:1::1',
];
const networks = [
  '10.1.2.0/24',
  '10.1.2.3/24',
  '010.1.2.0/24',
  '10.1.2.0/024',
  '010.1.2.3/24',
  'fd00::/64',
  'fd00::1/64',
  'FD00::/64',
  'fd00:0::/64',
  '::ffff:10.1.2.0/120',
  '::ffff:10.1.2.3/120',
  '::ffff:10.1.2.3/80',
  'fd00::/064',
];

interface Kind {
  readonly path: string;
  readonly version: string;
  readonly kind: string;
}

const kind = (base: string, resource: string, name: string, isNamespaced = true): Kind => ({
  path: `${base}${isNamespaced ? '/namespaces/default' : ''}/${resource}`,
  version: base.replace(/^\/apis?\//, ''),
  kind: name,
});
const object = ({ version, kind: name }: Kind, content: JsonObject, metadata: JsonObject): JsonObject => ({
  apiVersion: version,
  kind: name,
  ...content,
  metadata,
});

/** Each content as a new object of its own, written once more, and its status. */
function each(
  of: Kind,
  contents: readonly JsonObject[],
  more: { readonly metadata?: JsonObject; readonly suffix?: string; readonly updates?: readonly JsonObject[] } = {},
): Series['requests'] {
  return (run) =>
    contents.flatMap((content, index): Request[] => {
      const name = `${run}-${index}${more.suffix ?? ''}`;
      const path = `${of.path}/${name}`;
      return [
        { method: 'POST', path: of.path, body: object(of, content, { ...more.metadata, name }) },
        ...[{ metadata: { labels: { a: 'b' } } }, ...(more.updates ?? [])].map((body): Request => ({
          method: 'PATCH',
          path,
          body,
        })),
        { method: 'PATCH', path: `${path}/status`, body: { metadata: { labels: { c: 'd' } } } },
        { method: 'DELETE', path },
      ];
    });
}

/** What an object without one is given later. */
const later =
  (of: Kind, first: JsonObject, bodies: readonly JsonObject[], part = ''): Series['requests'] =>
  (run) => [
    { method: 'POST', path: of.path, body: object(of, first, { name: run }) },
    ...bodies.map((body): Request => ({ method: 'PATCH', path: `${of.path}/${run}${part}`, body })),
    { method: 'DELETE', path: `${of.path}/${run}` },
  ];

const oldLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type',
  'app.kubernetes.io/created-by',
  'scheduler.alpha.kubernetes.io/preferAvoidPods',
  'node-role.kubernetes.io/master',
  'kubernetes.io/os',
  'constructor',
];
const exists = (key: string): JsonObject => ({ key, operator: 'Exists' });

const services = kind('/api/v1', 'services', 'Service');
const port = [{ port: 80 }];
const service = (spec: JsonObject): JsonObject => ({ spec: { ports: port, selector: { a: 'b' }, ...spec } });
const ingresses = kind('/apis/networking.k8s.io/v1', 'ingresses', 'Ingress');
const policies = kind('/apis/networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy');
const ingress = { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } };
const balanced = [...v4, ...v6].map((ip) => ({ status: { loadBalancer: { ingress: [{ ip }, { hostname: 'a.b' }] } } }));
const peers = (list: string, side: string): JsonObject[] =>
  [
    { [side]: networks.map((cidr) => ({ ipBlock: { cidr } })) },
    { [side]: [{ ipBlock: { cidr: '10.0.0.0/8', except: networks.slice(0, 5) } }] },
  ].map((rule) => ({ spec: { podSelector: {}, [list]: [rule] } }));
const single = (list: string, side: string): JsonObject[] =>
  networks.map((cidr) => ({ spec: { podSelector: {}, [list]: [{ [side]: [{ ipBlock: { cidr } }] }] } }));

const networkSeries: readonly Series[] = [
  {
    name: 'warnings of Services: spellings',
    requests: each(services, [
      ...v4.map((ip) => service({ externalIPs: [ip] })),
      ...networks.map((range) => service({ type: 'LoadBalancer', loadBalancerSourceRanges: [range] })),
      ...[...v4, ...v6].map((loadBalancerIP) => service({ type: 'LoadBalancer', loadBalancerIP })),
      service({ clusterIP: '10.0.07.3' }),
    ]),
  },
  {
    name: 'warnings of Services: what has no effect',
    requests: each(
      services,
      [
        service({
          clusterIP: 'None',
          loadBalancerIP: '10.1.1.1',
          externalIPs: ['10.1.1.1'],
          sessionAffinity: 'ClientIP',
        }),
        service({ type: 'ExternalName', externalName: 'a.b', externalIPs: ['10.1.1.1'] }),
        service({ externalName: 'a.b' }),
        service({ trafficDistribution: 'PreferClose' }),
        service({ externalIPs: ['10.1.1.1'] }),
      ],
      {
        metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } },
        updates: [{ spec: { type: 'NodePort' } }],
      },
    ),
  },
  {
    name: 'warnings of the status of Services',
    requests: later(services, service({ type: 'LoadBalancer' }), balanced, '/status'),
  },
  { name: 'warnings of the status of Ingresses', requests: later(ingresses, ingress, balanced, '/status') },
  {
    name: 'warnings of Ingresses',
    requests: each(ingresses, [ingress, { spec: { ...ingress.spec, ingressClassName: 'a' } }], {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
    }),
  },
  {
    name: 'warnings of NetworkPolicies',
    requests: each(policies, [
      ...peers('ingress', 'from'),
      ...peers('egress', 'to'),
      ...single('ingress', 'from'),
      ...single('egress', 'to'),
    ]),
  },
  {
    name: 'warnings of Endpoints',
    requests: each(
      kind('/api/v1', 'endpoints', 'Endpoints'),
      [...v4, ...v6].map((ip) => ({
        subsets: [
          { addresses: [{ ip }], ports: port },
          { notReadyAddresses: [{ ip }], ports: port },
        ],
      })),
    ),
  },
  {
    name: 'warnings of Endpoints of the controller',
    requests: each(kind('/api/v1', 'endpoints', 'Endpoints'), [{ subsets: [{ addresses: [{ ip: 'FD00::1' }] }] }], {
      metadata: { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
    }),
  },
  ...['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io', 'other'].map(
    (manager): Series => ({
      name: `warnings of EndpointSlices of ${manager}`,
      requests: each(
        kind('/apis/discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice'),
        [
          ...v4.map((ip) => ({ addressType: 'IPv4', endpoints: [{ addresses: [ip] }] })),
          ...v6.map((ip) => ({ addressType: 'IPv6', endpoints: [{ addresses: [ip] }] })),
          { addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }] },
        ],
        { metadata: { labels: { 'endpointslice.kubernetes.io/managed-by': manager } } },
      ),
    }),
  ),
];

const nodes = kind('/api/v1', 'nodes', 'Node', false);
const pods = kind('/api/v1', 'pods', 'Pod');
const volumes = kind('/api/v1', 'persistentvolumes', 'PersistentVolume', false);
const volume = (spec: JsonObject): JsonObject => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' }, ...spec },
});
const of = (source: JsonObject): JsonObject => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
});
const hard = (limits: JsonObject): JsonObject => ({ spec: { hard: limits } });
const quotas: readonly JsonObject[] = [
  { cpu: '2', 'limits.cpu': '1' },
  { cpu: '2', 'requests.cpu': '1', 'limits.cpu': '1' },
  { 'requests.memory': '1.5Gi', 'limits.memory': '1Gi' },
  { memory: '2000m', 'limits.memory': '1' },
  { 'requests.storage': '2Gi', 'limits.storage': '1Gi' },
  { 'requests.ephemeral-storage': '2', 'limits.ephemeral-storage': '1' },
  { 'ephemeral-storage': '2', 'limits.ephemeral-storage': '1' },
  { cpu: '1', 'limits.cpu': '1000m' },
].map(hard);
const fine = ['1n', '999999u', '0.1m', '1e-5', '1500u', '1.0000000001'];
const claim = (amounts: JsonObject): JsonObject => ({ spec: { accessModes: ['ReadWriteOnce'], resources: amounts } });

const coreSeries: readonly Series[] = [
  {
    name: 'warnings of Nodes',
    requests: each(nodes, [
      ...networks.map((range) => ({ spec: { podCIDRs: [range] } })),
      { spec: { externalID: 'a' } },
      { spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } } },
    ]),
  },
  {
    name: 'warnings of the status of pods',
    requests: later(
      pods,
      { spec: { containers: [{ name: 'c', image: 'i' }] } },
      [...v4, ...v6].map((ip) => ({ status: { hostIPs: [{ ip }], hostIP: ip, podIPs: [{ ip }] } })),
      '/status',
    ),
  },
  {
    name: 'warnings of PersistentVolumes',
    requests: each(
      volumes,
      [
        volume({ persistentVolumeReclaimPolicy: 'Recycle' }),
        volume({ nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: oldLabels.map(exists) }] } } }),
        of({ cephfs: { monitors: ['a'] } }),
        of({ photonPersistentDisk: { pdID: 'a' } }),
        of({ scaleIO: { gateway: 'a', system: 'a', secretRef: { name: 'a', namespace: 'b' }, volumeName: 'a' } }),
        of({ storageos: { volumeName: 'a', volumeNamespace: 'b' } }),
        of({ glusterfs: { endpoints: 'a', path: 'a' } }),
        of({ rbd: { monitors: ['a'], image: 'a' } }),
        of({ flocker: { datasetName: 'a' } }),
        of({ quobyte: { registry: 'a:1', volume: 'a' } }),
      ],
      {
        metadata: {
          annotations: {
            'volume.beta.kubernetes.io/storage-class': 'a',
            'volume.beta.kubernetes.io/mount-options': 'b',
          },
        },
      },
    ),
  },
  {
    name: 'warnings of PersistentVolumeClaims',
    requests: each(
      kind('/api/v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
      [
        claim({ requests: { storage: '1.5' }, limits: { storage: '2500m' } }),
        claim({ requests: { storage: '1Gi' } }),
        claim({ requests: { storage: '0.1k' } }),
        claim({ requests: { storage: '1n' } }),
      ],
      { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } } },
    ),
  },
  {
    name: 'warnings of ResourceQuotas',
    requests: each(kind('/api/v1', 'resourcequotas', 'ResourceQuota'), quotas, {
      updates: [{ spec: { hard: { 'requests.cpu': '9', 'limits.cpu': '1' } } }],
    }),
  },
  {
    name: 'warnings of fine amounts: ResourceQuota',
    requests: each(
      kind('/api/v1', 'resourcequotas', 'ResourceQuota'),
      fine.map((amount) => hard({ 'requests.cpu': amount, 'limits.memory': amount })),
      { updates: [{ status: { hard: { 'requests.cpu': '1u' } } }] },
    ),
  },
  {
    name: 'warnings of fine amounts: LimitRange',
    requests: each(
      kind('/api/v1', 'limitranges', 'LimitRange'),
      fine.map((amount) => ({
        spec: {
          limits: [
            { type: 'Container', max: { cpu: amount } },
            { type: 'Pod', min: { cpu: amount }, maxLimitRequestRatio: { cpu: '1.00001' } },
          ],
        },
      })),
    ),
  },
  {
    name: 'warnings of fine amounts: Node',
    requests: each(
      nodes,
      fine.map((amount) => ({ status: { capacity: { cpu: amount }, allocatable: { memory: amount } } })),
    ),
  },
  {
    name: 'warnings of fine amounts: PersistentVolume',
    requests: each(
      volumes,
      fine.map((storage) => volume({ capacity: { storage } })),
    ),
  },
  {
    name: 'warnings of fine amounts: pods',
    requests: each(
      pods,
      fine.map((amount) => ({
        spec: {
          overhead: { cpu: amount },
          resources: { requests: { cpu: amount } },
          containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: amount } } }],
        },
      })),
    ),
  },
  {
    name: 'warnings of ServiceAccounts',
    requests: each(kind('/api/v1', 'serviceaccounts', 'ServiceAccount'), [{}], {
      updates: [
        { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } },
        { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'false' } } },
      ],
    }),
  },
  {
    name: 'warnings of names',
    requests: each(pods, [{ spec: { containers: [{ name: 'c', image: 'i' }] } }], { suffix: `.${'x'.repeat(70)}` }),
  },
  {
    name: 'warnings of owners that stand twice',
    requests: (run) => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' };
      const path = '/api/v1/namespaces/default/configmaps';
      const body = (ownerReferences: JsonValue): JsonObject => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: run, ownerReferences },
      });
      return [
        { method: 'POST', path, body: body([owner, owner]) },
        { method: 'PUT', path: `${path}/${run}`, body: body([owner, owner]) },
        {
          method: 'PATCH',
          path: `${path}/${run}`,
          body: { metadata: { ownerReferences: [owner, owner, { ...owner, uid: 'v' }] } },
        },
      ];
    },
  },
];

const static_ = { suffix: '.static.k8s.io' };
const matchConstraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
};
const webhook = (name: string): Kind =>
  kind('/apis/admissionregistration.k8s.io/v1', name.toLowerCase() + 's', name, false);
const policyBinding = { spec: { policyName: 'none', validationActions: ['Deny'] } };

const otherSeries: readonly Series[] = [
  {
    name: 'warnings of RuntimeClasses',
    requests: each(
      kind('/apis/node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', false),
      oldLabels.map((label) => ({ handler: 'a', scheduling: { nodeSelector: { [label]: 'a' } } })),
    ),
  },
  {
    name: 'warnings of StorageClasses',
    requests: each(kind('/apis/storage.k8s.io/v1', 'storageclasses', 'StorageClass', false), [
      {
        provisioner: 'a',
        allowedTopologies: [{ matchLabelExpressions: oldLabels.map((key) => ({ key, values: ['a'] })) }],
      },
    ]),
  },
  {
    name: 'warnings of CSIStorageCapacities',
    requests: each(kind('/apis/storage.k8s.io/v1', 'csistoragecapacities', 'CSIStorageCapacity'), [
      {
        storageClassName: 'a',
        nodeTopology: { matchExpressions: oldLabels.map(exists), matchLabels: { 'beta.kubernetes.io/os': 'a' } },
      },
    ]),
  },
  {
    name: 'warnings of CSIDrivers',
    requests: each(
      kind('/apis/storage.k8s.io/v1', 'csidrivers', 'CSIDriver', false),
      [
        { spec: { tokenRequests: [{ audience: 'a' }] } },
        { spec: { tokenRequests: [{ audience: 'a' }], serviceAccountTokenInSecrets: false } },
        { spec: {} },
      ],
      { updates: [{ spec: { tokenRequests: [{ audience: 'b' }] } }] },
    ),
  },
  {
    name: 'warnings of ResourceSlices',
    requests: each(
      kind('/apis/resource.k8s.io/v1', 'resourceslices', 'ResourceSlice', false),
      ['Driver.Example.com', 'driver.example.com'].map((driver) => ({
        spec: { driver, nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1 } },
      })),
    ),
  },
  {
    name: 'warnings of CronJobs',
    requests: later(
      kind('/apis/batch/v1', 'cronjobs', 'CronJob'),
      {
        spec: {
          schedule: '@hourly',
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          },
        },
      },
      [
        { spec: { schedule: 'TZ=UTC @hourly' } },
        { spec: { schedule: 'CRON_TZ=UTC 0 * * * *' } },
        { metadata: { labels: { a: 'b' } } },
        { spec: { timeZone: 'UTC' } },
      ],
    ),
  },
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((name): Series => ({
    name: `warnings of ${name}s`,
    requests: each(webhook(name), [{ webhooks: [] }], static_),
  })),
  {
    name: 'warnings of ValidatingAdmissionPolicies',
    requests: each(
      kind('/apis/admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false),
      [{ spec: { matchConstraints, validations: [{ expression: 'true' }] } }],
      static_,
    ),
  },
  {
    name: 'warnings of ValidatingAdmissionPolicyBindings',
    requests: each(
      kind(
        '/apis/admissionregistration.k8s.io/v1',
        'validatingadmissionpolicybindings',
        'ValidatingAdmissionPolicyBinding',
        false,
      ),
      [policyBinding],
      static_,
    ),
  },
  {
    name: 'warnings of MutatingAdmissionPolicies',
    requests: each(
      kind('/apis/admissionregistration.k8s.io/v1', 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', false),
      [
        {
          spec: {
            matchConstraints,
            reinvocationPolicy: 'Never',
            mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
          },
        },
      ],
      static_,
    ),
  },
  {
    name: 'warnings of MutatingAdmissionPolicyBindings',
    requests: each(
      kind(
        '/apis/admissionregistration.k8s.io/v1',
        'mutatingadmissionpolicybindings',
        'MutatingAdmissionPolicyBinding',
        false,
      ),
      [{ spec: { policyName: 'none' } }],
      static_,
    ),
  },
  {
    name: 'warnings of deprecated versions',
    requests: () => [
      { method: 'GET', path: '/api/v1/componentstatuses/scheduler' },
      { method: 'GET', path: '/api/v1/namespaces/default/endpoints?labelSelector=none%3Dsuch' },
    ],
  },
  {
    name: 'warnings of tokens after two spaces',
    requests: () => [{ method: 'GET', path: '/api/v1/namespaces', headers: { authorization: 'Bearer  some' } }],
  },
];

/** Everything that the built-in types warn of, and what they do not. */
export const warningSeries: readonly Series[] = [
  ...podWarningSeries,
  ...podAnnotationSeries,
  ...networkSeries,
  ...coreSeries,
  ...otherSeries,
  ...tlsSecretSeries,
];
