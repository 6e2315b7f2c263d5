import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import type { Request, Series } from './series.ts';

const matchConstraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
};

/** Objects with a status, by group version and resource. */
const objects: readonly (readonly [
  apiVersion: string,
  resource: string,
  kind: string,
  isNamespaced: boolean,
  content: JsonObject,
])[] = [
  [
    'admissionregistration.k8s.io/v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    false,
    { spec: { matchConstraints, validations: [{ expression: 'true' }] } },
  ],
  ['networking.k8s.io/v1', 'servicecidrs', 'ServiceCIDR', false, { spec: { cidrs: ['10.77.0.0/24'] } }],
  ['resource.k8s.io/v1', 'resourceclaims', 'ResourceClaim', true, { spec: { devices: {} } }],
  [
    'storage.k8s.io/v1',
    'volumeattachments',
    'VolumeAttachment',
    false,
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    false,
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  ],
  ['policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', true, { spec: { minAvailable: 1, selector: {} } }],
];

const podTemplate = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Always' },
};

/** Kinds whose strategies differ in what a status brings along of a deletion. */
const marked: typeof objects = [
  ...objects,
  [
    'v1',
    'replicationcontrollers',
    'ReplicationController',
    true,
    { spec: { replicas: 0, selector: { a: 'b' }, template: podTemplate } },
  ],
  ['v1', 'nodes', 'Node', false, {}],
  [
    'v1',
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    true,
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    'v1',
    'pods',
    'Pod',
    true,
    { spec: { containers: [{ name: 'a', image: 'a' }], automountServiceAccountToken: false } },
  ],
  [
    'apps/v1',
    'deployments',
    'Deployment',
    true,
    { spec: { selector: { matchLabels: { a: 'b' } }, template: podTemplate } },
  ],
  [
    'batch/v1',
    'cronjobs',
    'CronJob',
    true,
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { ...podTemplate, spec: { ...podTemplate.spec, restartPolicy: 'Never' } } } },
      },
    },
  ],
  [
    'autoscaling/v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    true,
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'a' } } },
  ],
];
const deletionMarks: readonly JsonObject[] = [
  { deletionTimestamp: '2020-01-01T00:00:00Z' },
  { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 3 },
  { deletionGracePeriodSeconds: 3 },
];

/** Who writes a status cannot mark the object as deleted: some kinds say so, some take no notice. */
function marksInStatus(run: string): readonly Request[] {
  return marked.flatMap(([apiVersion, resource, kind, isNamespaced, content]): Request[] => {
    const path = `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}${isNamespaced ? '/namespaces/default' : ''}/${resource}`;
    return [
      ...marksOf(path, run, { apiVersion, kind, metadata: { name: run }, ...content }),
      { method: 'DELETE', path: `${path}/${run}?gracePeriodSeconds=0` },
    ];
  });
}

function marksOf(path: string, name: string, object: JsonObject, settled?: string): readonly Request[] {
  const at = `${path}/${name}/status?dryRun=All`;
  return [
    { method: 'POST', path, body: object },
    // Controllers write the first status in their own time.
    ...(settled === undefined
      ? []
      : [
          {
            method: 'GET',
            path: `${path}/${name}`,
            until: ({ body }: Exchange) => JSON.stringify(body).includes(settled),
          },
        ]),
    ...deletionMarks.flatMap((metadata): Request[] => [
      { method: 'PATCH', path: at, body: { metadata } },
      {
        method: 'PUT',
        path: at,
        body: (answers) => ({
          ...object,
          metadata: {
            ...metadataOf(
              answers.findLast(
                ({ sent, status }) => sent.path === (settled === undefined ? path : `${path}/${name}`) && status < 300,
              )?.body ?? null,
            ),
            ...metadata,
          },
        }),
      },
    ]),
  ];
}

/** The same of what registers resources, under names of their own. */
function marksOfRegistered(run: string): readonly Request[] {
  const group = `${run}.example.org`;
  const service = {
    group,
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    service: { name: 'a', namespace: 'default' },
    insecureSkipTLSVerify: true,
  };
  const definition = {
    group,
    scope: 'Cluster',
    names: { plural: 'odds', kind: 'Odd' },
    versions: [{ name: 'v2', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  };
  const [services, definitions] = [
    '/apis/apiregistration.k8s.io/v1/apiservices',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ] as const;
  return [
    ...marksOf(
      services,
      `v1.${group}`,
      { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: `v1.${group}` }, spec: service },
      '"Available"',
    ),
    ...marksOf(
      definitions,
      `odds.${group}`,
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `odds.${group}` },
        spec: definition,
      },
      // The reason of the condition once it is true.
      '"InitialNamesAccepted"',
    ),
    { method: 'DELETE', path: `${services}/v1.${group}` },
  ];
}

function metadataOf(object: JsonValue): JsonObject {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  return isObject(metadata) ? metadata : {};
}

function withMetadata(object: JsonObject, member: string, value: JsonValue): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), [member]: value } };
}

/** A status of a custom resource brings no metadata with it, however wrong. */
function customStatus(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const path = `/apis/${group}/v1/things`;
  const jsonPatch = { 'content-type': 'application/json-patch+json' };
  const values: readonly (readonly [member: string, value: JsonValue])[] = [
    ['uid', null],
    ['uid', ''],
    ['uid', 'x'],
    ['creationTimestamp', null],
    ['creationTimestamp', '2020-01-01T00:00:00Z'],
    ['labels', { 'a b': 'c' }],
    ['annotations', { 'a b': 'c' }],
    ['finalizers', ['a b']],
    ['generation', 7],
    ['deletionTimestamp', '2020-01-01T00:00:00Z'],
    ['ownerReferences', [{}]],
    ['name', 'b'],
  ];
  return [
    {
      method: 'POST',
      path: definitions,
      body: {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
        },
      },
    },
    { method: 'GET', path, until: ({ status }) => status === 200 },
    {
      method: 'POST',
      path,
      body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec: { a: 'q' } },
    },
    ...values.flatMap(([member, value]): Request[] => [
      {
        method: 'PATCH',
        path: `${path}/a/status?dryRun=All`,
        headers: jsonPatch,
        body: [{ op: 'add', path: `/metadata/${member}`, value }],
      },
      {
        method: 'PUT',
        path: `${path}/a/status?dryRun=All`,
        body: ([, , made]) => withMetadata(made?.body as JsonObject, member, value),
      },
    ]),
    {
      method: 'PATCH',
      path: `${path}/a/status?dryRun=All&fieldManager=two`,
      headers: jsonPatch,
      body: [{ op: 'replace', path: '/apiVersion', value: 'q' }],
    },
    {
      method: 'PATCH',
      path: `${path}/a/status?dryRun=All&fieldManager=two`,
      headers: jsonPatch,
      body: [{ op: 'replace', path: '/apiVersion', value: `${group}/v2` }],
    },
    {
      method: 'PATCH',
      path: `${path}/a/status?dryRun=All&fieldManager=two`,
      headers: jsonPatch,
      body: [{ op: 'replace', path: '/kind', value: 'Odd' }],
    },
    { method: 'GET', path: `${path}/a` },
    { method: 'DELETE', path: `${definitions}/things.${group}` },
  ];
}

/** What a write of the status does with the rest of the metadata. */
export const statusMetadataSeries: readonly Series[] = [
  { name: 'metadata in writes of the status: custom resources', requests: customStatus },
  { name: 'metadata in writes of the status: marks of a deletion', requests: marksInStatus },
  {
    name: 'metadata in writes of the status: marks of a deletion of what registers resources',
    requests: marksOfRegistered,
  },
  ...objects.map(([apiVersion, resource, kind, isNamespaced, content]): Series => ({
    name: `metadata in writes of the status: ${kind}`,
    requests: (run): readonly Request[] => {
      const path = `/apis/${apiVersion}${isNamespaced ? '/namespaces/default' : ''}/${resource}`;
      const metadata = {
        labels: { a: 'b' },
        annotations: { a: 'b' },
        finalizers: ['example.com/a'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }],
      };
      const patch = (part: string, body: JsonObject): Request => ({
        method: 'PATCH',
        path: `${path}/${run}${part}`,
        body,
      });
      return [
        { method: 'POST', path, body: { apiVersion, kind, metadata: { name: run }, ...content } },
        patch('/status', { metadata }),
        patch('', { metadata }),
        patch('/status', {
          metadata: { labels: { a: 'c', d: 'e' }, annotations: null, finalizers: null, ownerReferences: null },
        }),
        patch('', { metadata: { finalizers: null } }),
        { method: 'DELETE', path: `${path}/${run}` },
      ];
    },
  })),
];
