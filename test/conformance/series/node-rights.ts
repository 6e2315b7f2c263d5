import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import type { Request, Series } from './series.ts';

const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const core = '/api/v1/namespaces/default';
const resource = 'resource.k8s.io';
const storage = 'storage.k8s.io';
const certificates = 'certificates.k8s.io';

type Question = Readonly<Record<string, JsonObject[string]>>;

function ask(node: string, question: Question, until?: (answer: Exchange) => boolean): Request {
  return {
    method: 'POST',
    path: reviews,
    ...(until !== undefined && { until }),
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: `system:node:${node}`, groups: ['system:nodes'], resourceAttributes: { ...question } },
    },
  };
}

const allows =
  (wanted: boolean) =>
  ({ body }: Exchange): boolean =>
    isObject(body) && objectAt(body, 'status')?.['allowed'] === wanted;

/** Resources about which nodes are judged, and others. */
const kinds: readonly Question[] = [
  { resource: 'secrets', namespace: 'default' },
  { resource: 'configmaps', namespace: 'default' },
  { resource: 'persistentvolumeclaims', namespace: 'default' },
  { resource: 'persistentvolumes' },
  { group: resource, resource: 'resourceclaims', namespace: 'default' },
  { group: resource, resource: 'resourceslices' },
  { group: storage, resource: 'volumeattachments' },
  { group: storage, resource: 'csinodes' },
  { resource: 'serviceaccounts', namespace: 'default' },
  { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease' },
  { group: 'coordination.k8s.io', resource: 'leases', namespace: 'default' },
  { resource: 'nodes' },
  { resource: 'pods', namespace: 'default' },
  { group: certificates, resource: 'podcertificaterequests', namespace: 'default' },
  { group: certificates, resource: 'certificatesigningrequests' },
  { group: certificates, resource: 'clustertrustbundles' },
  { group: storage, resource: 'csidrivers' },
  { resource: 'services' },
  { group: 'apps', resource: 'secrets', namespace: 'default' },
];
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*', ''];
const subresources = ['status', 'token', 'eviction', 'other'];
const selectors: readonly JsonObject[] = [
  { rawSelector: 'spec.nodeName=n1' },
  { rawSelector: 'spec.nodeName==n1,status.phase!=Failed' },
  { rawSelector: 'spec.nodeName!=n1' },
  { rawSelector: 'spec.nodeName=n2' },
  { rawSelector: 'spec.nodeName' },
  { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }] },
  { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1', 'n2'] }] },
  { requirements: [{ key: 'spec.nodeName', operator: 'NotIn', values: ['n1'] }] },
  {
    requirements: [
      { key: 'spec.nodeName', operator: 'Exists' },
      { key: 'spec.nodeName', operator: 'In', values: ['n1'] },
    ],
  },
];
const labels: readonly JsonObject[] = [
  {
    requirements: [
      { key: 'a', operator: 'In', values: ['b'] },
      { key: 'a', operator: 'Other' },
    ],
  },
  { requirements: [{ key: '/', operator: 'Exists', values: ['a b'] }] },
  {},
  { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] },
  { rawSelector: 'a=b' },
  { rawSelector: 'a in (' },
  {
    requirements: [
      { key: 'a', operator: 'In', values: ['b'] },
      { key: 'a', operator: 'In' },
    ],
  },
  { requirements: [{ key: 'a', operator: 'Other' }] },
  { requirements: [{ key: 'a', operator: 'Exists' }] },
];

const fixed: Series = {
  name: 'rights of nodes by verb',
  requests: () => [
    ...kinds.flatMap((kind) =>
      verbs.flatMap((verb) => [
        ask('n1', { ...kind, verb }),
        ask('n1', { ...kind, verb, name: 'n1' }),
        ask('n1', { ...kind, verb, name: 'n2' }),
      ]),
    ),
    ...kinds.flatMap((kind) =>
      subresources.flatMap((subresource) =>
        ['get', 'create', 'patch'].map((verb) => ask('n1', { ...kind, verb, subresource, name: 'n1' })),
      ),
    ),
    ...['secrets', 'pods', 'serviceaccounts'].map((name) => ask('n1', { resource: name, verb: 'get', name: 'a' })),
    ...[
      { resource: 'pods', namespace: 'default' },
      { group: resource, resource: 'resourceslices' },
      { group: certificates, resource: 'podcertificaterequests', namespace: 'default' },
    ].flatMap((kind) =>
      selectors.flatMap((fieldSelector) =>
        ['list', 'deletecollection'].map((verb) => ask('n1', { ...kind, verb, fieldSelector })),
      ),
    ),
    ask('', { resource: 'pods', verb: 'list' }),
    ask('a"b', { resource: 'nodes', verb: 'get', name: 'c' }),
    {
      method: 'POST',
      path: reviews,
      body: {
        spec: {
          user: 'system:node:n1',
          groups: ['system:authenticated'],
          resourceAttributes: { resource: 'nodes', verb: 'get', name: 'n1' },
        },
      },
    },
    {
      method: 'POST',
      path: reviews,
      body: {
        spec: {
          user: 'system:node:n1',
          groups: ['system:nodes'],
          nonResourceAttributes: { path: '/healthz', verb: 'get' },
        },
      },
    },
    ...['?fieldSelector=spec.nodeName%3Dn1', '?fieldSelector=spec.nodeName%3Dn2', ''].map((query): Request => ({
      method: 'GET',
      path: `/api/v1/namespaces/empty/pods${query}`,
      headers: asNode,
    })),
    { method: 'GET', path: '/api/v1/watch/pods?fieldSelector=spec.nodeName%3Dn1&timeoutSeconds=1', headers: asNode },
    { method: 'GET', path: '/api/v1/nodes?fieldSelector=metadata.name%3Dn2', headers: asNode },
    {
      method: 'DELETE',
      path: '/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Dn2',
      headers: asNode,
    },
    ...labels.flatMap((selector) =>
      ['labelSelector', 'fieldSelector'].map((kind) =>
        ask('n1', { resource: 'pods', namespace: 'default', verb: 'list', [kind]: selector }),
      ),
    ),
  ],
};

const asNode = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };

/** A pod that uses an object in each way there is; the objects are named by the way. */
function podSpec(run: string): JsonObject {
  const name = (way: string): JsonObject => ({ name: `${run}-${way}` });
  const container = (way: string): JsonObject => ({
    image: 'a',
    envFrom: [{ secretRef: name(`from-${way}`) }, { configMapRef: name(`from-${way}`) }],
    env: [
      { name: 'a', valueFrom: { secretKeyRef: { ...name(`env-${way}`), key: 'k' } } },
      { name: 'b', valueFrom: { configMapKeyRef: { ...name(`env-${way}`), key: 'k' } } },
    ],
  });
  const volumes: readonly JsonObject[] = [
    { secret: { secretName: `${run}-volume` } },
    { configMap: name('volume') },
    { projected: { sources: [{ secret: name('projected') }, { configMap: name('projected') }] } },
    { azureFile: { secretName: `${run}-azure`, shareName: 's' } },
    { cephfs: { monitors: ['m'], secretRef: name('cephfs') } },
    { cinder: { volumeID: 'v', secretRef: name('cinder') } },
    { flexVolume: { driver: 'a/b', secretRef: name('flex') } },
    { rbd: { monitors: ['m'], image: 'i', secretRef: name('rbd') } },
    { scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: name('scaleio') } },
    { storageos: { volumeName: 'v', secretRef: name('storageos') } },
    { iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:a', lun: 0, secretRef: name('iscsi') } },
    { csi: { driver: 'a.b', nodePublishSecretRef: name('csi') } },
    { persistentVolumeClaim: { claimName: `${run}-claim` } },
    {
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
      },
    },
  ];
  return {
    nodeName: `${run}-n`,
    imagePullSecrets: [name('pull')],
    containers: [{ name: 'c', ...container('c') }],
    initContainers: [{ name: 'i', ...container('i') }],
    volumes: volumes.map((volume, index) => ({ name: `v${index}`, ...volume })),
    resourceClaims: [
      { name: 'a', resourceClaimName: `${run}-device` },
      { name: 'b', resourceClaimTemplateName: `${run}-template` },
    ],
  };
}

const secretWays = [
  'from-c',
  'from-i',
  'env-c',
  'env-i',
  'volume',
  'projected',
  'azure',
  'cephfs',
  'cinder',
  'flex',
  'rbd',
  'scaleio',
  'storageos',
  'iscsi',
  'csi',
  'pull',
  'late',
  'never',
];
const volumeSources: Readonly<Record<string, (run: string) => JsonObject>> = {
  csi: (run) => ({
    csi: {
      driver: 'a.b',
      volumeHandle: 'h',
      ...Object.fromEntries(
        ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeStage', 'nodeExpand'].map((use) => [
          `${use}SecretRef`,
          { name: `${run}-${use.toLowerCase()}`, namespace: 'default' },
        ]),
      ),
    },
  }),
  azure: (run) => ({ azureFile: { shareName: 's', secretName: `${run}-pv`, secretNamespace: 'other' } }),
  rbd: (run) => ({ rbd: { monitors: ['m'], image: 'i', secretRef: { name: `${run}-rbd-pv` } } }),
};

const related: Series = {
  name: 'what has to do with nodes',
  requests(run) {
    const node = `${run}-n`;
    const may = (question: Question, wanted?: boolean, who = node): Request =>
      ask(who, { verb: 'get', namespace: 'default', ...question }, wanted === undefined ? undefined : allows(wanted));
    const secret = (way: string, namespace = 'default'): Question => ({
      resource: 'secrets',
      namespace,
      name: `${run}-${way}`,
    });
    const device = (way: string): Question => ({ group: resource, resource: 'resourceclaims', name: `${run}-${way}` });
    const volume = (way: string, claim: string): Request => ({
      method: 'POST',
      path: '/api/v1/persistentvolumes',
      body: {
        metadata: { name: `${run}-${way}` },
        spec: {
          capacity: { storage: '1' },
          accessModes: ['ReadWriteOnce'],
          claimRef: { namespace: 'default', name: claim },
          ...volumeSources[way]?.(run),
        },
      },
    });
    const pv = (way: string): Question => ({ resource: 'persistentvolumes', namespace: '', name: `${run}-${way}` });
    const volumeQuestions = [
      'controllerpublish',
      'controllerexpand',
      'nodepublish',
      'nodestage',
      'nodeexpand',
      'rbd-pv',
    ]
      .map((way) => may(secret(way)))
      .concat([
        may(secret('pv', 'other')),
        may(secret('pv')),
        may(pv('csi')),
        may(pv('azure')),
        may(pv('rbd')),
        may({ ...pv('csi'), namespace: 'default' }),
      ]);
    const status = (body: JsonObject): Request => ({
      method: 'PATCH',
      path: `${core}/pods/${run}/status`,
      body: { status: body },
    });
    return [
      may(secret('volume')),
      { method: 'POST', path: `${core}/pods`, body: { metadata: { name: run }, spec: podSpec(run) } },
      may(secret('volume'), true),
      may(secret('volume'), undefined, 'n1'),
      ...secretWays.map((way) => may(secret(way))),
      ...['from-c', 'env-i', 'volume', 'projected', 'never'].map((way) =>
        may({ resource: 'configmaps', name: `${run}-${way}` }),
      ),
      ...['claim', 'v13', 'v12'].flatMap((way) => [
        may({ resource: 'persistentvolumeclaims', name: `${run}-${way}` }),
        may({ resource: 'persistentvolumeclaims', name: `${run}-${way}`, verb: 'patch', subresource: 'status' }),
      ]),
      may({ resource: 'serviceaccounts', name: 'default' }),
      may({ resource: 'serviceaccounts', name: 'default', verb: 'create', subresource: 'token' }),
      may({ resource: 'serviceaccounts', name: 'other', verb: 'create', subresource: 'token' }),
      may({ resource: 'pods', name: run }),
      may({ resource: 'pods', name: run, verb: 'watch' }),
      may({ resource: 'pods', name: run }, undefined, 'n1'),
      may(device('device')),
      may(device('made')),
      may(device('template')),
      status({ resourceClaimStatuses: [{ name: 'b', resourceClaimName: `${run}-made` }] }),
      may(device('made'), true),
      status({ resourceClaimStatuses: null }),
      may(device('made'), false),
      may(device('device')),
      {
        method: 'PATCH',
        path: `${core}/pods/${run}/ephemeralcontainers`,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: {
          spec: { ephemeralContainers: [{ name: 'e', image: 'a', envFrom: [{ secretRef: { name: `${run}-late` } }] }] },
        },
      },
      may(secret('late'), true),
      volume('csi', `${run}-claim`),
      volume('azure', `${run}-v13`),
      volume('rbd', `${run}-claim`),
      may(secret('rbd-pv'), true),
      ...volumeQuestions,
      {
        method: 'POST',
        path: `/apis/${storage}/v1/volumeattachments`,
        body: {
          metadata: { name: run },
          spec: { attacher: 'a', nodeName: node, source: { persistentVolumeName: 'a' } },
        },
      },
      may({ group: storage, resource: 'volumeattachments', namespace: '', name: run }, true),
      may({ group: storage, resource: 'volumeattachments', namespace: '', name: run }, undefined, 'n1'),
      {
        method: 'POST',
        path: `/apis/${resource}/v1/resourceslices`,
        body: {
          metadata: { name: run },
          spec: { nodeName: node, driver: 'a.b', pool: { name: 'p', resourceSliceCount: 1 } },
        },
      },
      ...['get', 'update', 'delete'].map((verb) =>
        may({ group: resource, resource: 'resourceslices', namespace: '', name: run, verb }, true),
      ),
      may({ group: resource, resource: 'resourceslices', namespace: '', name: run }, undefined, 'n1'),
      status({ phase: 'Succeeded' }),
      may(secret('volume')),
      { method: 'DELETE', path: `${core}/pods/${run}`, body: { gracePeriodSeconds: 0 } },
      may(secret('volume'), false),
      ...volumeQuestions,
      may({ resource: 'pods', name: run }),
      { method: 'DELETE', path: `/apis/${storage}/v1/volumeattachments/${run}` },
      may({ group: storage, resource: 'volumeattachments', namespace: '', name: run }, false),
    ];
  },
};

/** Whom nodes are allowed to ask for, in the reference's words. */
export const nodeRightSeries: readonly Series[] = [fixed, related];
