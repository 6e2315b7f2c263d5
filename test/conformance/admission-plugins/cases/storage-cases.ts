import { patch, pathIn, post, tryPost, type CaseStep, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const classes = '/apis/storage.k8s.io/v1/storageclasses';
const resizing = 'PersistentVolumeClaimResize';

function storageClass(name: string, rest: Json = {}, annotations: Json = {}): CaseStep {
  const head = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, annotations } };
  return post(classes, { ...head, provisioner: 'p', ...rest });
}

function claim(spec: Json, metadata: Json = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  };
}

/** A claim of a class that has its volume. */
function boundClaim(name: string, storageClassName: string): CaseStep[] {
  const path = pathIn(resizing, 'persistentvolumeclaims');
  return [
    post(path, claim({ storageClassName, volumeName: 'v' }, { name })),
    patch(`${path}/${name}/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }),
  ];
}

function grow(name: string): CaseStep {
  const spec = { resources: { requests: { storage: '2Gi' } } };
  return patch(`${pathIn(resizing, 'persistentvolumeclaims')}/${name}?dryRun=All`, { spec }, 'spec.resources');
}

/** Plugins about volumes, claims and their classes. */
export const storageCases: readonly PluginCase[] = [
  {
    plugin: 'DefaultStorageClass',
    given: [storageClass('case-default', {}, { 'storageclass.kubernetes.io/is-default-class': 'true' })],
    admits: tryPost(
      pathIn('DefaultStorageClass', 'persistentvolumeclaims'),
      claim({ storageClassName: '' }),
      'spec.storageClassName',
    ),
    changes: tryPost(pathIn('DefaultStorageClass', 'persistentvolumeclaims'), claim({}), 'spec.storageClassName'),
  },
  {
    plugin: 'StorageObjectInUseProtection',
    admits: tryPost(
      pathIn('StorageObjectInUseProtection', 'persistentvolumeclaims'),
      claim({}, { finalizers: ['kubernetes.io/pvc-protection'] }),
      'metadata.finalizers',
    ),
    changes: tryPost(
      pathIn('StorageObjectInUseProtection', 'persistentvolumeclaims'),
      claim({}),
      'metadata.finalizers',
    ),
  },
  {
    plugin: resizing,
    given: [
      storageClass('case-fixed'),
      storageClass('case-growing', { allowVolumeExpansion: true }),
      ...boundClaim('fixed', 'case-fixed'),
      ...boundClaim('growing', 'case-growing'),
    ],
    admits: grow('growing'),
    refuses: grow('fixed'),
  },
];
