import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

const group = 'storage.k8s.io';
const driver = 'driver.example.com';
const kib = 1024;
/** So many parameters named p0, p1 and on. */
const parameters = (count: number): JsonObject => Object.fromEntries(times(count, (index) => [`p${index}`, '']));
const topology = (key: string, values: JsonValue): JsonObject => ({ matchLabelExpressions: [{ key, values }] });
const tokens = (expirationSeconds: number): JsonValue => [{ audience: 'a', expirationSeconds }];
const nodeDriver = { name: driver, nodeID: 'n', topologyKeys: ['a'] };

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(group, 'v1', 'storageclasses', 'StorageClass', { provisioner: driver }, false),
    limits: [
      ['provisioner', 'A.b/c', '', 'provisioner: Required value'],
      [
        'provisioner',
        'A.b/c',
        'a b',
        `provisioner: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
      ['parameters', parameters(512), parameters(513), 'parameters: Too long: may not be more than 512 bytes'],
      [
        'parameters',
        { a: 'a'.repeat(256 * kib - 1) },
        { a: 'a'.repeat(256 * kib) },
        'parameters: Too long: may not be more than 262144 bytes',
      ],
      ['parameters', { a: '' }, { '': 'a' }, 'parameters: Invalid value: "": field can not be empty.'],
      [
        'reclaimPolicy',
        'Retain',
        'Recycle',
        'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
      ],
      [
        'volumeBindingMode',
        'WaitForFirstConsumer',
        'Other',
        'volumeBindingMode: Unsupported value: "Other": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
      [
        'allowedTopologies',
        [topology('a', ['b'])],
        [topology('a', [])],
        'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
      ],
      [
        'allowedTopologies',
        [topology('a', ['b'])],
        [topology('a b', ['c', 'c'])],
        `allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "c"',
      ],
      [
        'allowedTopologies',
        [topology('a', ['b']), topology('a', ['c'])],
        [topology('a', ['b']), topology('a', ['b'])],
        'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
      ],
    ],
    updates: [
      [
        'provisioner',
        driver,
        'other.example.com',
        'provisioner: Invalid value: "other.example.com": field is immutable',
      ],
      ['parameters', null, { a: 'b' }, 'parameters: Invalid value: {"a":"b"}: field is immutable'],
      ['reclaimPolicy', 'Delete', 'Retain', 'reclaimPolicy: Invalid value: "Retain": field is immutable'],
      [
        'volumeBindingMode',
        'Immediate',
        'WaitForFirstConsumer',
        'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
      ],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'volumeattributesclasses',
      'VolumeAttributesClass',
      { driverName: driver, parameters: { a: 'b' } },
      false,
    ),
    limits: [
      ['driverName', 'a', '', 'driverName: Required value'],
      ['parameters', parameters(1), {}, 'parameters: Required value: must contain at least one key/value pair'],
      ['parameters', parameters(512), parameters(513), 'parameters: Too long: may not be more than 512 bytes'],
    ],
    updates: [
      ['driverName', driver, 'other.example.com', 'driverName: Forbidden: updates to driverName are forbidden.'],
      ['parameters', { a: 'b' }, { a: 'c' }, 'parameters: Forbidden: updates to parameters are forbidden.'],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'csidrivers', 'CSIDriver', { spec: {} }, false),
    limits: [
      [
        'spec.fsGroupPolicy',
        'File',
        'Other',
        'spec.fsGroupPolicy: Unsupported value: "Other": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      ],
      [
        'spec.volumeLifecycleModes',
        ['Ephemeral', 'Persistent'],
        ['Other'],
        'spec.volumeLifecycleModes: Unsupported value: "Other": supported values: "Persistent", "Ephemeral"',
      ],
      [
        'spec.tokenRequests',
        tokens(600),
        tokens(599),
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      ],
      [
        'spec.tokenRequests',
        tokens(2 ** 32),
        tokens(2 ** 32 + 1),
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
      ],
      [
        'spec.tokenRequests',
        [{ audience: '' }, { audience: 'a' }],
        [{ audience: 'a' }, { audience: 'a' }],
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
      ],
      [
        'spec.nodeAllocatableUpdatePeriodSeconds',
        10,
        9,
        'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
      ],
      [
        'spec.serviceAccountTokenInSecrets',
        null,
        true,
        'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
    ],
    updates: [
      ['spec.attachRequired', true, false, 'spec.attachedRequired: Invalid value: false: field is immutable'],
      [
        'spec.volumeLifecycleModes',
        ['Persistent'],
        ['Ephemeral'],
        'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
      ],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'csinodes', 'CSINode', { spec: { drivers: [nodeDriver] } }, false),
    limits: [
      [
        'spec.drivers',
        [nodeDriver],
        [nodeDriver, nodeDriver],
        'spec.drivers[1].name: Duplicate value: "driver.example.com"',
      ],
      [
        'spec.drivers[0].name',
        'a'.repeat(63),
        'a'.repeat(64),
        'spec.drivers[0].name: Too long: may not be more than 63 bytes',
      ],
      [
        'spec.drivers[0].nodeID',
        'a'.repeat(256),
        'a'.repeat(257),
        'spec.drivers[0].nodeID: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be 256 characters or less',
      ],
      ['spec.drivers[0].nodeID', 'a', '', 'spec.drivers[0].nodeID: Required value'],
      [
        'spec.drivers[0].allocatable',
        { count: 0 },
        { count: -1 },
        'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
      ],
      ['spec.drivers[0].topologyKeys', ['a', 'b'], ['a', 'a'], 'spec.drivers[0]: Duplicate value: "a"'],
      [
        'spec.drivers[0].topologyKeys',
        ['a'],
        [''],
        'spec.drivers[0]: Invalid value: "": name part must be non-empty',
        `spec.drivers[0]: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        'spec.drivers[0]: Required value',
      ],
    ],
    updates: [
      [
        'spec.drivers[0].nodeID',
        'n',
        'm',
        'spec.drivers: Invalid value: {"Name":"driver.example.com","NodeID":"m","TopologyKeys":["a"],"Allocatable":null}: field is immutable',
      ],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'csistoragecapacities', 'CSIStorageCapacity', { storageClassName: 'a' }),
    limits: [
      [
        'storageClassName',
        'a.b',
        '',
        `storageClassName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'storageClassName',
        'a.b',
        'A',
        `storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      ['capacity', '0', '-1', 'capacity: Invalid value: "-1": must be greater than or equal to 0'],
      [
        'nodeTopology',
        { matchLabels: { a: 'b' } },
        { matchLabels: { 'a b': 'c d' } },
        `nodeTopology.matchLabels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        `nodeTopology.matchLabels: Invalid value: "c d": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
    updates: [
      ['storageClassName', 'a', 'b', 'storageClassName: Invalid value: "b": field is immutable'],
      ['nodeTopology', null, {}, 'nodeTopology: Invalid value: {}: field is immutable'],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'volumeattachments',
      'VolumeAttachment',
      { spec: { attacher: driver, nodeName: 'n', source: { persistentVolumeName: 'v' } } },
      false,
    ),
    limits: [
      ['spec.attacher', 'a'.repeat(63), 'a'.repeat(64), 'spec.attacher: Too long: may not be more than 63 bytes'],
      [
        'spec.nodeName',
        'a.b',
        '',
        `spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.source',
        { persistentVolumeName: 'a.b' },
        {},
        'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
      ],
      [
        'spec.source',
        { persistentVolumeName: 'a.b' },
        { persistentVolumeName: '' },
        `spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
      ],
      [
        'spec.source',
        { persistentVolumeName: 'a.b' },
        { persistentVolumeName: 'A' },
        `spec.source.persistentVolumeName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    updates: [
      [
        'spec.nodeName',
        'n',
        'm',
        'spec: Invalid value: {"Attacher":"driver.example.com","Source":{"PersistentVolumeName":"v","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
      ],
      [
        'spec.source.persistentVolumeName',
        'v',
        'w',
        'spec: Invalid value: {"Attacher":"driver.example.com","Source":{"PersistentVolumeName":"w","InlineVolumeSpec":null},"NodeName":"n"}: field is immutable',
      ],
    ],
  },
];
