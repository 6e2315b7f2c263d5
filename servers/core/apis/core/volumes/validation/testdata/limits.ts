import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { container, recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const storage = (amount: string): JsonObject => ({ requests: { storage: amount } });
const volume = (source: JsonObject): JsonObject[] => [{ name: 'v', ...source }];
const item = (more: JsonObject): JsonObject => ({
  configMap: { name: 'm', items: [{ key: 'k', path: 'p', ...more }] },
});
const token = (expirationSeconds: number): JsonObject => ({
  projected: { sources: [{ serviceAccountToken: { path: 'p', expirationSeconds } }] },
});

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: storage('1Gi') },
    }),
    limits: [
      [
        'spec.accessModes',
        ['ReadWriteMany'],
        [],
        'spec.accessModes: Required value: at least 1 access mode is required',
      ],
      [
        'spec.accessModes',
        ['ReadWriteOncePod'],
        ['ReadWriteOnce', 'ReadWriteOncePod'],
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      ],
      [
        'spec.accessModes',
        ['ReadOnlyMany'],
        ['WriteOnly'],
        'spec.accessModes: Unsupported value: "WriteOnly": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
      [
        'spec.resources',
        storage('1'),
        storage('0'),
        'spec.resources[storage]: Invalid value: "0": must be greater than zero',
      ],
      ['spec.resources', storage('1'), {}, 'spec.resources[storage]: Required value'],
      [
        'spec.volumeMode',
        'Block',
        'Tape',
        'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
      ],
      [
        'spec.storageClassName',
        'a',
        'A',
        `spec.storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.selector',
        { matchLabels: { a: 'b' } },
        { matchLabels: { a: 'b c' } },
        `spec.selector.matchLabels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
      [
        'spec.dataSource',
        { kind: 'PersistentVolumeClaim', name: 'a' },
        { kind: 'PersistentVolumeClaim', name: '' },
        'spec.dataSource.name: Required value',
        'spec.dataSourceRef.name: Required value',
      ],
    ],
  },
  {
    valid: recordedRequest(
      '',
      'v1',
      'persistentvolumes',
      'PersistentVolume',
      { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } } },
      false,
    ),
    limits: [
      [
        'spec.capacity',
        { storage: '1' },
        { storage: '0' },
        'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
      ],
      [
        'spec.capacity',
        { storage: '1' },
        {},
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: {}: supported values: "storage"',
      ],
      [
        'spec.capacity',
        { storage: '1' },
        { storage: '1', cpu: '1' },
        'spec.capacity: Unsupported value: {"cpu":"1","storage":"1"}: supported values: "storage"',
      ],
      ['spec.accessModes', ['ReadWriteMany'], [], 'spec.accessModes: Required value'],
      [
        'spec.persistentVolumeReclaimPolicy',
        'Retain',
        'Keep',
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
      ],
      [
        'spec.hostPath',
        { path: '/a' },
        { path: '/a/../b' },
        `spec.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
      ],
      ['spec.nfs', null, { server: 's', path: '/a' }, 'spec.nfs: Forbidden: may not specify more than 1 volume type'],
      [
        'spec.volumeMode',
        'Filesystem',
        'Tape',
        'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
      ],
    ],
    updates: [
      [
        'spec.hostPath',
        { path: '/a', type: '' },
        { path: '/b', type: '' },
        'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -2,7 +2,7 @@\n  "GCEPersistentDisk": null,\n  "AWSElasticBlockStore": null,\n  "HostPath": {\n-  "Path": "/a",\n+  "Path": "/b",\n   "Type": ""\n  },\n  "Glusterfs": null,\n',
      ],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'pods', 'Pod', {
      spec: { containers: [container], serviceAccountName: 'default' },
    }),
    limits: [
      [
        'spec.volumes',
        volume({ emptyDir: { sizeLimit: '0' } }),
        volume({ emptyDir: { sizeLimit: '-1' } }),
        'spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
      ],
      [
        'spec.volumes',
        volume({ emptyDir: {} }),
        volume({ emptyDir: {}, hostPath: { path: '/a' } }),
        'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
      ],
      [
        'spec.volumes',
        [{ name: 'a'.repeat(63), emptyDir: {} }],
        [{ name: 'a'.repeat(64), emptyDir: {} }],
        'spec.volumes[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.volumes',
        volume({ emptyDir: {} }),
        [...volume({ emptyDir: {} }), ...volume({ emptyDir: {} })],
        'spec.volumes[1].name: Duplicate value: "v"',
      ],
      [
        'spec.volumes',
        volume(item({ mode: 0o777 })),
        volume(item({ mode: 0o1000 })),
        'spec.volumes[0].configMap.items[0].mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      ],
      [
        'spec.volumes',
        volume(item({ mode: 0 })),
        volume(item({ mode: -1 })),
        'spec.volumes[0].configMap.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
      ],
      [
        'spec.volumes',
        volume(item({ path: 'a/b' })),
        volume(item({ path: '/a' })),
        'spec.volumes[0].configMap.items[0].path: Invalid value: "/a": must be a relative path',
      ],
      [
        'spec.volumes',
        volume(item({ path: 'a/b' })),
        volume(item({ path: 'a/../b' })),
        `spec.volumes[0].configMap.items[0].path: Invalid value: "a/../b": must not contain '..'`,
      ],
      [
        'spec.volumes',
        volume({ secret: { secretName: 's', defaultMode: 0o777 } }),
        volume({ secret: { secretName: 's', defaultMode: 0o1000 } }),
        'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      ],
      [
        'spec.volumes',
        volume({ persistentVolumeClaim: { claimName: 'a' } }),
        volume({ persistentVolumeClaim: { claimName: '' } }),
        'spec.volumes[0].persistentVolumeClaim.claimName: Required value',
      ],
      [
        'spec.volumes',
        volume(token(600)),
        volume(token(599)),
        'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      ],
      [
        'spec.volumes',
        volume(token(4_294_967_296)),
        volume(token(4_294_967_297)),
        'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
      ],
      [
        'spec.volumes',
        volume({ hostPath: { path: '/a', type: 'File' } }),
        volume({ hostPath: { path: '/a', type: 'Link' } }),
        'spec.volumes[0].hostPath.type: Unsupported value: "Link": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
      [
        'spec.volumes',
        volume({ iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:a', lun: 255 } }),
        volume({ iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:a', lun: 256 } }),
        'spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      ],
      [
        'spec.volumes',
        volume({ gcePersistentDisk: { pdName: 'p', partition: 255 } }),
        volume({ gcePersistentDisk: { pdName: 'p', partition: 256 } }),
        'spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
      ],
      [
        'spec.volumes',
        volume({ nfs: { server: 's', path: '/a' } }),
        volume({ nfs: { server: 's', path: 'a' } }),
        'spec.volumes[0].nfs.path: Invalid value: "a": must be an absolute path',
      ],
    ],
  },
];
