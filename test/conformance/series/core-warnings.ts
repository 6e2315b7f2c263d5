import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { networkSpellings, v4Addresses, v6Addresses } from './address-spellings.ts';
import type { Series } from './series.ts';
import { labelExists, nodeLabels, writeEach, writeLater, writtenKind } from './written-kinds.ts';

const nodes = writtenKind('/api/v1', 'nodes', 'Node', false);
const pods = writtenKind('/api/v1', 'pods', 'Pod');
const volumes = writtenKind('/api/v1', 'persistentvolumes', 'PersistentVolume', false);
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

export const coreWarningSeries: readonly Series[] = [
  {
    name: 'warnings of Nodes',
    requests: writeEach(nodes, [
      ...networkSpellings.map((range) => ({ spec: { podCIDRs: [range] } })),
      { spec: { externalID: 'a' } },
      { spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } } },
    ]),
  },
  {
    name: 'warnings of the status of pods',
    requests: writeLater(
      pods,
      { spec: { containers: [{ name: 'c', image: 'i' }] } },
      [...v4Addresses, ...v6Addresses].map((ip) => ({ status: { hostIPs: [{ ip }], hostIP: ip, podIPs: [{ ip }] } })),
      '/status',
    ),
  },
  {
    name: 'warnings of PersistentVolumes',
    requests: writeEach(
      volumes,
      [
        volume({ persistentVolumeReclaimPolicy: 'Recycle' }),
        volume({
          nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: nodeLabels.map(labelExists) }] } },
        }),
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
    requests: writeEach(
      writtenKind('/api/v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
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
    requests: writeEach(writtenKind('/api/v1', 'resourcequotas', 'ResourceQuota'), quotas, {
      updates: [{ spec: { hard: { 'requests.cpu': '9', 'limits.cpu': '1' } } }],
    }),
  },
  {
    name: 'warnings of fine amounts: ResourceQuota',
    requests: writeEach(
      writtenKind('/api/v1', 'resourcequotas', 'ResourceQuota'),
      fine.map((amount) => hard({ 'requests.cpu': amount, 'limits.memory': amount })),
      { updates: [{ status: { hard: { 'requests.cpu': '1u' } } }] },
    ),
  },
  {
    name: 'warnings of fine amounts: LimitRange',
    requests: writeEach(
      writtenKind('/api/v1', 'limitranges', 'LimitRange'),
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
    requests: writeEach(
      nodes,
      fine.map((amount) => ({ status: { capacity: { cpu: amount }, allocatable: { memory: amount } } })),
    ),
  },
  {
    name: 'warnings of fine amounts: PersistentVolume',
    requests: writeEach(
      volumes,
      fine.map((storage) => volume({ capacity: { storage } })),
    ),
  },
  {
    name: 'warnings of fine amounts: pods',
    requests: writeEach(
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
    requests: writeEach(writtenKind('/api/v1', 'serviceaccounts', 'ServiceAccount'), [{}], {
      updates: [
        { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } },
        { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'false' } } },
      ],
    }),
  },
  {
    name: 'warnings of names',
    requests: writeEach(pods, [{ spec: { containers: [{ name: 'c', image: 'i' }] } }], {
      suffix: `.${'x'.repeat(70)}`,
    }),
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
