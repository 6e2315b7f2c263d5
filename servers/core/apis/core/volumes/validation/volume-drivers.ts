import { validateNoBacksteps } from '#servers/core/validation/paths.ts';
import {
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { givenOneOf, messages, optionalOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, isInRange } from '#shared/apimachinery/validation/names.ts';

// Sources that pods and PersistentVolumes share (pkg/apis/core/validation).

/** @param volumeName of the PersistentVolume, or of the volume in the pod */
export type VolumeRule = (source: JsonObject, field: Path, volumeName: string) => FieldError[];

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
function needsAll(source: JsonObject, keys: readonly string[], field: Path): FieldError[] {
  return keys.filter((key) => stringAt(source, key) === '').map((key) => required(field.child(key), ''));
}

function validatePartition(source: JsonObject, field: Path): FieldError[] {
  const partition = numberAt(source, 'partition') ?? 0;
  return partition < 0 || partition > 255
    ? [invalid(field.child('partition'), partition, 'must be between 1 and 255, inclusive')]
    : [];
}

function validateSecretName(source: JsonObject, field: Path): FieldError[] {
  const secret = objectAt(source, 'secretRef');
  return secret && stringAt(secret, 'name') === '' ? [required(field.child('secretRef', 'name'), '')] : [];
}

function validateReservedOptions(source: JsonObject, field: Path): FieldError[] {
  return Object.keys(objectAt(source, 'options') ?? {})
    .filter((key) => /\.(kubernetes|k8s)\.io$/.test(`.${(key.split('/')[0] ?? '').toLowerCase()}`))
    .map((key) => invalid(field.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'));
}

function validateLun(source: JsonObject, field: Path): FieldError[] {
  const lun = numberAt(source, 'lun') ?? 0;
  return messages(isInRange(lun, 0, 255), field.child('lun'), lun);
}

export const sharedVolumeRules = {
  hostPath: (source, field) => {
    const path = stringAt(source, 'path');
    if (path === '') return [required(field.child('path'), '')];
    return [
      ...validateNoBacksteps(path, field.child('path')),
      ...optionalOneOf(stringAt(source, 'type'), hostPathTypes, field.child('type')),
    ];
  },
  gcePersistentDisk: (source, field) => [...needsAll(source, ['pdName'], field), ...validatePartition(source, field)],
  awsElasticBlockStore: (source, field) => [
    ...needsAll(source, ['volumeID'], field),
    ...validatePartition(source, field),
  ],
  nfs: (source, field) => {
    const path = stringAt(source, 'path');
    const errors = needsAll(source, ['server', 'path'], field);
    return path.startsWith('/') ? errors : [...errors, invalid(field.child('path'), path, 'must be an absolute path')];
  },
  flocker: (source, field) => {
    const [name, uuid] = [stringAt(source, 'datasetName'), stringAt(source, 'datasetUUID')];
    const errors: FieldError[] = [];
    if (name === '' && uuid === '') errors.push(required(field, 'one of datasetName and datasetUUID is required'));
    if (name !== '' && uuid !== '')
      errors.push(invalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
    return name.includes('/') ? [...errors, invalid(field.child('datasetName'), name, "must not contain '/'")] : errors;
  },
  rbd: (source, field) => [
    ...(stringsAt(source, 'monitors').length === 0 ? [required(field.child('monitors'), '')] : []),
    ...needsAll(source, ['image'], field),
  ],
  cinder: (source, field) => [...needsAll(source, ['volumeID'], field), ...validateSecretName(source, field)],
  cephfs: (source, field) =>
    stringsAt(source, 'monitors').length === 0 ? [required(field.child('monitors'), '')] : [],
  quobyte: (source, field) => {
    const registry = stringAt(source, 'registry');
    const detail = 'must be a host:port pair or multiple pairs separated by commas';
    const errors: FieldError[] = [];
    if (registry === '') errors.push(required(field.child('registry'), detail));
    else if (stringAt(source, 'tenant').length >= 65)
      errors.push(required(field.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
    else
      errors.push(
        ...registry
          .split(',')
          .filter((pair) => !/^([^:[\]]*|\[.*\]):[^:]*$/.test(pair))
          .map(() => invalid(field.child('registry'), registry, detail)),
      );
    return [...errors, ...needsAll(source, ['volume'], field)];
  },
  fc: (source, field) => {
    const [targets, ids] = [stringsAt(source, 'targetWWNs'), stringsAt(source, 'wwids')];
    const errors: FieldError[] = [];
    if (targets.length === 0 && ids.length === 0)
      errors.push(required(field.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both'));
    if (targets.length > 0 && ids.length > 0)
      errors.push(
        invalid(field.child('targetWWNs'), [...targets], 'targetWWNs and wwids can not be specified simultaneously'),
      );
    if (targets.length === 0) return errors;
    return [
      ...errors,
      ...(numberAt(source, 'lun') === undefined
        ? [required(field.child('lun'), 'lun is required if targetWWNs is specified')]
        : validateLun(source, field)),
    ];
  },
  flexVolume: (source, field) => [...needsAll(source, ['driver'], field), ...validateReservedOptions(source, field)],
  vsphereVolume: (source, field) => needsAll(source, ['volumePath'], field),
  photonPersistentDisk: (source, field) => needsAll(source, ['pdID'], field),
  portworxVolume: (source, field) => needsAll(source, ['volumeID'], field),
  azureDisk: (source, field) => {
    const [uri, { kind }] = [stringAt(source, 'diskURI'), source];
    const errors = [
      ...needsAll(source, ['diskName', 'diskURI'], field),
      ...givenOneOf(source['cachingMode'], ['None', 'ReadOnly', 'ReadWrite'], field.child('cachingMode')),
      ...givenOneOf(kind, ['Dedicated', 'Managed', 'Shared'], field.child('kind')),
    ];
    const managed = ['/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'];
    const blob = ['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'];
    if (kind === 'Managed' && !uri.startsWith('/subscriptions/'))
      errors.push(notSupported(field.child('diskURI'), uri, managed));
    if (kind !== undefined && kind !== 'Managed' && !uri.startsWith('https://'))
      errors.push(notSupported(field.child('diskURI'), uri, blob));
    return errors;
  },
  storageos: (source, field) => {
    const [name, namespace] = [stringAt(source, 'volumeName'), stringAt(source, 'volumeNamespace')];
    const errors =
      name === ''
        ? [required(field.child('volumeName'), '')]
        : messages(isDNS1123Label(name), field.child('volumeName'), name);
    if (namespace !== '')
      errors.push(...messages(isDNS1123Label(namespace), field.child('volumeNamespace'), namespace));
    return [...errors, ...validateSecretName(source, field)];
  },
  scaleIO: (source, field) => needsAll(source, ['gateway', 'system', 'volumeName'], field),
} as const satisfies Readonly<Record<string, VolumeRule>>;
