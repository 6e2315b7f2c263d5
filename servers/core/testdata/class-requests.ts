import { recordedRequest, type RecordedRequest } from './recorded-request.ts';

/** Of storage, devices and classes. */
export const classRequests: readonly RecordedRequest[] = [
  recordedRequest('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', { spec: {} }, false),
  recordedRequest('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', { provisioner: 'a.b/c' }, false),
  recordedRequest('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', { value: 1_000_000_001 }, false),
  recordedRequest(
    'node.k8s.io',
    'v1',
    'runtimeclasses',
    'RuntimeClass',
    { handler: 'h', overhead: { podFixed: { memory: '-1', odd: '1' } } },
    false,
  ),
  recordedRequest(
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
  recordedRequest(
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
  recordedRequest(
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
  recordedRequest(
    'storage.k8s.io',
    'v1',
    'volumeattachments',
    'VolumeAttachment',
    { spec: { attacher: '', nodeName: 'N', source: {} } },
    false,
  ),
  recordedRequest(
    'storage.k8s.io',
    'v1',
    'volumeattachments',
    'VolumeAttachment',
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: '' } } },
    false,
  ),
  recordedRequest('storage.k8s.io', 'v1', 'csistoragecapacities', 'CSIStorageCapacity', {
    storageClassName: 'A',
    capacity: '-1',
    nodeTopology: { matchLabels: { '-': 'b' } },
  }),
  recordedRequest(
    'storage.k8s.io',
    'v1',
    'volumeattributesclasses',
    'VolumeAttributesClass',
    { driverName: 'A B', parameters: {} },
    false,
  ),
  recordedRequest('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim', {
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
  recordedRequest(
    'resource.k8s.io',
    'v1',
    'deviceclasses',
    'DeviceClass',
    { spec: { selectors: [{}], config: [{ opaque: { driver: 'A!', parameters: { a: 1 } } }] } },
    false,
  ),
  recordedRequest(
    'storage.k8s.io',
    'v1',
    'storageclasses',
    'StorageClass',
    { provisioner: '', volumeBindingMode: '' },
    false,
  ),
  recordedRequest(
    'storage.k8s.io',
    'v1',
    'csidrivers',
    'CSIDriver',
    { spec: { preventPodSchedulingIfMissing: true } },
    false,
  ),
  recordedRequest(
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
  recordedRequest(
    'resource.k8s.io',
    'v1',
    'deviceclasses',
    'DeviceClass',
    { spec: { extendedResourceName: 'cpu' } },
    false,
  ),
  recordedRequest('resource.k8s.io', 'v1', 'resourceclaimtemplates', 'ResourceClaimTemplate', {
    spec: { metadata: { finalizers: [], name: 'x' }, spec: {} },
  }),
];
