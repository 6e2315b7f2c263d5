import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const pods = '/api/v1/namespaces/default/pods';
const volumes = '/api/v1/persistentvolumes';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';

const change = (path: string, value: JsonValue): JsonObject => ({ op: 'add', path, value });
const amounts = (requests: JsonObject | undefined, limits: JsonObject | undefined): JsonObject => ({
  ...(requests && { requests }),
  ...(limits && { limits }),
});

function pod(name: string, spec: JsonObject, more: JsonObject = {}): JsonObject {
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '512Mi' } } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      automountServiceAccountToken: false,
      containers: [container],
      volumes: [{ name: 'a', emptyDir: {} }],
      ...spec,
    },
    ...more,
  };
}

/** What a pod asks for as a whole, beside what its containers say. */
const podLevel: readonly JsonObject[] = [
  amounts(undefined, { cpu: '1' }),
  amounts({ cpu: '1' }, undefined),
  amounts({}, {}),
  amounts(undefined, { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '4Mi' }),
  amounts({ memory: '1Gi' }, { memory: '2Gi' }),
];

const containers = (init: JsonValue[]): JsonObject => ({
  initContainers: init,
  containers: [
    {
      name: 'c',
      image: 'i',
      resources: { requests: { cpu: '100m' }, limits: { cpu: '200m', 'hugepages-2Mi': '2Mi' } },
    },
    { name: 'd', image: 'i', resources: { limits: { memory: '1Gi' } } },
  ],
});
const step = { name: 's', image: 'i', resources: { requests: { cpu: '700m' } } };

const readable: JsonObject = { accessModes: ['ReadWriteOnce'] };
const csi: JsonObject = { driver: 'a.example.com', volumeHandle: 'x' };
const inlineVolumes: readonly JsonObject[] = [
  { ...readable, csi },
  { csi },
  { ...readable, hostPath: { path: '/x' }, rbd: {} },
  {
    ...readable,
    csi,
    capacity: { storage: '1Gi' },
    claimRef: {},
    nodeAffinity: {},
    storageClassName: 'x',
    volumeMode: 'Block',
    persistentVolumeReclaimPolicy: 'Recycle',
  },
  {
    ...readable,
    csi,
    capacity: {},
    storageClassName: '',
    volumeMode: 'Filesystem',
    persistentVolumeReclaimPolicy: 'Retain',
    volumeAttributesClassName: '',
  },
  { ...readable, local: { path: '/x' }, nodeAffinity: {} },
  {},
];

const everyContext: JsonObject = {
  windowsOptions: { runAsUserName: 'x' },
  seLinuxOptions: { level: 's0' },
  seccompProfile: { type: 'RuntimeDefault' },
  appArmorProfile: { type: 'Unconfined' },
  runAsUser: 1,
  runAsGroup: 1,
};
const forSystem = (name: string, more: JsonObject = {}): JsonObject => ({
  os: { name },
  hostPID: true,
  hostIPC: true,
  hostUsers: true,
  shareProcessNamespace: false,
  securityContext: {
    ...everyContext,
    fsGroup: 1,
    fsGroupChangePolicy: 'Always',
    sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }],
    supplementalGroups: [1],
    supplementalGroupsPolicy: 'Merge',
    seLinuxChangePolicy: 'Recursive',
  },
  ...['initContainers', 'containers'].reduce<JsonObject>(
    (spec, list) => ({
      ...spec,
      [list]: [
        {
          name: list.toLowerCase(),
          image: 'i',
          securityContext: {
            ...everyContext,
            capabilities: {},
            readOnlyRootFilesystem: false,
            privileged: false,
            allowPrivilegeEscalation: false,
            procMount: 'Default',
          },
        },
      ],
    }),
    {},
  ),
  ...more,
});
const bare: JsonObject = {
  hostPID: false,
  hostIPC: false,
  hostUsers: null,
  shareProcessNamespace: null,
  securityContext: { sysctls: [], supplementalGroups: [] },
  initContainers: [],
};

/** Defaults that hang on other members, and what the updates of a pod are refused for. */
export const podsAndVolumesSeries: readonly Series[] = [
  {
    name: 'pods: resources of the whole pod',
    requests: () =>
      [[], [step], [{ ...step, restartPolicy: 'Always' }]].flatMap((init) =>
        podLevel.map((resources): Request => ({
          method: 'POST',
          path: `${pods}?dryRun=All`,
          body: pod('p', { ...containers(init), resources }),
        })),
      ),
  },
  {
    name: 'pods: what a system has not',
    requests: () =>
      ['linux', 'windows', 'Windows', ''].flatMap((name) =>
        [
          forSystem(name),
          forSystem(name, bare),
          forSystem(name, { ...bare, hostNetwork: true, resources: { limits: { cpu: '1' } } }),
        ].map((spec): Request => ({ method: 'POST', path: `${pods}?dryRun=All`, body: pod('p', spec) })),
      ),
  },
  {
    name: 'pods: updates that are refused',
    requests(run) {
      const update = (...operations: JsonObject[]): Request => ({
        method: 'PATCH',
        path: `${pods}/${run}?dryRun=All`,
        headers: { 'content-type': 'application/json-patch+json' },
        body: operations,
      });
      return [
        {
          method: 'POST',
          path: pods,
          body: pod(run, { tolerations: [{ key: 'a', operator: 'Equal', value: '', effect: 'NoSchedule' }] }),
        },
        update(change('/spec/volumes/0/ephemeral', { volumeClaimTemplate: {} })),
        update(change('/spec/resources', { limits: { cpu: '1' } })),
        update(change('/spec/schedulingGates', [{ name: 'a' }, { name: 'a' }])),
        update(change('/spec/tolerations/0/value', '')),
        update({ op: 'remove', path: '/spec/tolerations/0/effect' }),
      ];
    },
  },
  {
    name: 'pods: a status that comes with a new one, a class without a name',
    requests: () => [
      {
        method: 'POST',
        path: `${pods}?dryRun=All`,
        body: pod('p', {}, { status: { phase: 'Running', qosClass: 'Guaranteed', podIP: '10.1.2.3' } }),
      },
      { method: 'POST', path: `${pods}?dryRun=All`, body: pod('p', { runtimeClassName: '' }) },
    ],
  },
  {
    name: 'volumes: what is attached without a PersistentVolume',
    requests: () =>
      inlineVolumes.map((inlineVolumeSpec): Request => ({
        method: 'POST',
        path: `${attachments}?dryRun=All`,
        body: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'VolumeAttachment',
          metadata: { name: 'a' },
          spec: { attacher: 'a.example.com', nodeName: 'n', source: { inlineVolumeSpec } },
        },
      })),
  },
  {
    name: 'volumes: a secret for growing that comes later',
    requests: (run) => [
      {
        method: 'POST',
        path: volumes,
        body: {
          apiVersion: 'v1',
          kind: 'PersistentVolume',
          metadata: { name: run },
          spec: { ...readable, capacity: { storage: '1Gi' }, csi },
        },
      },
      {
        method: 'PATCH',
        path: `${volumes}/${run}`,
        body: { spec: { csi: { controllerExpandSecretRef: { name: 'a', namespace: 'b' } } } },
      },
      {
        method: 'PATCH',
        path: `${volumes}/${run}`,
        body: { spec: { csi: { controllerExpandSecretRef: { name: 'c' } } } },
      },
      {
        method: 'PATCH',
        path: `${volumes}/${run}`,
        body: { spec: { csi: { nodeExpandSecretRef: { name: 'a', namespace: 'b' } } } },
      },
    ],
  },
  {
    name: 'volumes: parameters of a class in the order of their keys',
    requests: (run) => [
      {
        method: 'POST',
        path: '/apis/storage.k8s.io/v1/storageclasses',
        body: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'StorageClass',
          metadata: { name: run },
          provisioner: 'a',
          parameters: { b: '1' },
        },
      },
      {
        method: 'PATCH',
        path: `/apis/storage.k8s.io/v1/storageclasses/${run}`,
        body: { parameters: { a: '1', B: '2' } },
      },
    ],
  },
];
