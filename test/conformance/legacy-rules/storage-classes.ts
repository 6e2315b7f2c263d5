import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { get, type Request } from '#test/conformance/series/series.ts';
import { patch, post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';
const beta = 'volume.beta.kubernetes.io/storage-class';
const mounts = 'volume.beta.kubernetes.io/mount-options';

const claim = (name: string, annotation: string | null, storageClassName: string | null): JsonValue => ({
  metadata: { name, ...(annotation === null ? {} : { annotations: { [beta]: annotation } }) },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...(storageClassName === null ? {} : { storageClassName }),
  },
});
const volume = (name: string, source: JsonObject, more: JsonObject = {}): JsonValue => ({
  metadata: { name, ...more },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source },
});

const classes = [null, '', 'a', 'b'];
/** Annotation and class, before and after. */
const changes = [null, '', 'a'].flatMap((annotation) =>
  [null, '', 'a'].flatMap((name) =>
    classes.flatMap((now) => classes.map((named) => ({ annotation, name, now, named }))),
  ),
);

/** Every change of the annotation and of the class that took its place. */
function changesOfClaims(run: string): readonly Request[] {
  return changes.flatMap(({ annotation, name, now, named }, index) => {
    const path = `${claims}/${run}-${index}`;
    return [
      post(claims, claim(`${run}-${index}`, annotation, name)),
      patch(path, { metadata: { annotations: { [beta]: now } }, spec: { storageClassName: named } }),
    ];
  });
}

const requested = (storage: string, more: JsonObject = {}): JsonObject => ({
  spec: { resources: { requests: { storage } }, ...more },
});

/** What else changes in a claim before and after it is bound. */
function changesOfSpec(run: string): readonly Request[] {
  const path = `${claims}/${run}`;
  const all: readonly JsonObject[] = [
    requested('2Gi'),
    requested('512Mi'),
    { spec: { resources: { limits: { storage: '5Gi' } } } },
    { spec: { resources: { requests: { other: '5' } } } },
    { spec: { accessModes: ['ReadOnlyMany'] } },
    { spec: { volumeName: 'v' } },
    { spec: { volumeName: 'w' } },
    { spec: { volumeAttributesClassName: 'x' } },
    { spec: { volumeAttributesClassName: null } },
    { spec: { volumeMode: 'Block' } },
    { spec: { storageClassName: 'a' }, metadata: { annotations: { [beta]: 'b' } } },
    { spec: { resources: null } },
  ];
  return [
    post(claims, claim(run, null, null)),
    ...all.map((body) => patch(path, body)),
    patch(`${path}/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }),
    ...all.map((body) => patch(path, body)),
    get(path),
  ];
}

const portal = { targetPortal: 'a', lun: 0 };
const iscsiNames = [
  'iqn.2001-04.com.example:a',
  'iqn.2001-04.com.example',
  'iqn.2001-04.com.example:',
  'iqn.2001-04.com.example:a,b',
  'iqn.2001-04.COM.-x:a',
  'xiqn.2001-04.com.example:a',
  'iqnxiqn.2001-04.com.example:a',
  'iqn.2001-04.com.example:a b',
  'iqn.2001-4.com:a',
  'IQN.2001-04.com.example:a',
  'eui.0123456789abcdef',
  'eui.0123456789ABCDEF',
  'eui.0123456789abcde',
  'xeui.0123456789abcdef0',
  'euieui.0123456789abcdef',
  'naa.0123456789abcdef0123456789abcdef',
  'naa.0123456789abcdef',
  'naa.0123456789ABCDEF0123456789abcdef0',
  'other',
  '',
];
const inPod = (name: string, source: JsonObject): JsonValue => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', ...source }] },
});

/** A source in a volume and in a pod. */
function inBoth(run: string, sources: readonly JsonObject[]): readonly Request[] {
  return sources.flatMap((source, index) => [
    post(volumes, volume(`${run}-${index}`, source)),
    post('/api/v1/namespaces/default/pods', inPod(`${run}-${index}`, source)),
    { method: 'DELETE', path: `${volumes}/${run}-${index}` },
  ]);
}

export const storageCases: readonly RuleCase[] = [
  { name: 'claims whose class changes', covers: [beta], requests: changesOfClaims },
  { name: 'claims that change', requests: changesOfSpec },
  {
    name: 'volumes with a class',
    requests: (run) =>
      classes.flatMap((annotation, index) => [
        post(
          volumes,
          volume(
            `${run}-${index}`,
            { nfs: { server: 's', path: '/' }, storageClassName: 'a' },
            {
              annotations: annotation === null ? {} : { [beta]: annotation },
            },
          ),
        ),
        patch(`${volumes}/${run}-${index}`, { metadata: { annotations: { [beta]: 'b' } } }),
        patch(`${volumes}/${run}-${index}`, { spec: { storageClassName: 'b' } }),
      ]),
  },
  {
    name: 'volumes with mount options',
    covers: [mounts],
    requests: (run) => {
      const annotations = { annotations: { [mounts]: 'ro' } };
      return [
        post(volumes, volume(`${run}-nfs`, { nfs: { server: 's', path: '/' } }, annotations)),
        post(volumes, volume(`${run}-local`, { hostPath: { path: '/' } }, annotations)),
        post(volumes, volume(`${run}-options`, { hostPath: { path: '/' }, mountOptions: ['ro'] })),
        post(volumes, volume(`${run}-changed`, { hostPath: { path: '/' } })),
        patch(`${volumes}/${run}-changed`, { metadata: annotations }),
        patch(`${volumes}/${run}-changed`, { spec: { mountOptions: ['ro'] } }),
      ];
    },
  },
  {
    name: 'iscsi names',
    requests: (run) => [
      ...inBoth(
        `${run}-iqn`,
        iscsiNames.map((iqn) => ({ iscsi: { ...portal, iqn } })),
      ),
      ...inBoth(
        `${run}-initiator`,
        iscsiNames.map((initiatorName) => ({ iscsi: { ...portal, iqn: iscsiNames[0] ?? '', initiatorName } })),
      ),
      ...inBoth(`${run}-other`, [
        { iscsi: {} },
        { iscsi: { ...portal, targetPortal: 'a'.repeat(70), iqn: iscsiNames[0] ?? '' } },
        {
          iscsi: {
            ...portal,
            targetPortal: 'a'.repeat(70),
            iqn: iscsiNames[0] ?? '',
            initiatorName: iscsiNames[0] ?? '',
          },
        },
        { iscsi: { ...portal, iqn: iscsiNames[0] ?? '', chapAuthSession: true } },
        { iscsi: { ...portal, iqn: iscsiNames[0] ?? '', chapAuthSession: true, secretRef: {} } },
        { iscsi: { ...portal, iqn: iscsiNames[0] ?? '', secretRef: {} } },
        { iscsi: { ...portal, iqn: iscsiNames[0] ?? '', lun: 256 } },
      ]),
    ],
  },
  {
    name: 'glusterfs',
    requests: (run) =>
      inBoth(run, [
        { glusterfs: {} },
        { glusterfs: { endpoints: 'e', path: 'p' } },
        ...['', 'a', 'A', 'a.b', 'x'.repeat(64)].map((endpointsNamespace) => ({
          glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace },
        })),
      ]),
  },
];
