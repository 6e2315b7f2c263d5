import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../../../shared/apimachinery/field-error.ts';
import { getKey } from '../../../../../../shared/apimachinery/json.ts';
import type { JsonObject } from '../../../../../../shared/apimachinery/json.ts';
import { isDNS1123Label, nameIsDNSSubdomain } from '../../../../../../shared/apimachinery/names.ts';
import {
  booleanAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  type ObjectMeta,
} from '../../../../../../shared/apimachinery/object.ts';
import { quantitySign } from '../../../../../../shared/apimachinery/quantity.ts';
import { validateClaimSpec } from './claims.ts';
import { validateDriverName } from '../../../../validation/driver-name.ts';
import { sliceIsOver, type Steps } from '../../../../../../shared/apimachinery/slices.ts';
import { errorsOfEach } from '../../../../validation/errors-of-each.ts';
import { givenOneOf, messages, optionalOneOf } from '../../../../validation/field-rules.ts';
import { validateDescendingPath, validateFileMode } from '../../../../validation/paths.ts';
import { validateProjected } from './projections.ts';
import { quantity } from '../../../../validation/quantities.ts';
import { sharedVolumeRules, type VolumeRule } from './volume-drivers.ts';
import { validateDownwardFile, validateFiles } from './volume-files.ts';
import { validateTemplateMetadata } from '../../../../validation/template-metadata.ts';

/**
 * Sources of a volume in the order in which the reference looks at them, which tells which of two is the one too many.
 */
const sourceRules: Readonly<Record<string, VolumeRule>> = {
  emptyDir: (source, field) =>
    source['sizeLimit'] !== undefined && quantitySign(quantity(source['sizeLimit'])) < 0
      ? [forbidden(field.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
      : [],
  hostPath: sharedVolumeRules.hostPath,
  gitRepo: (source, field) => [
    ...needs(source, 'repository', field),
    ...validateDescendingPath(stringAt(source, 'directory'), field.child('directory')),
  ],
  gcePersistentDisk: sharedVolumeRules.gcePersistentDisk,
  awsElasticBlockStore: sharedVolumeRules.awsElasticBlockStore,
  secret: (source, field) => [...needs(source, 'secretName', field), ...validateFiles(source, field)],
  nfs: sharedVolumeRules.nfs,
  iscsi: sharedVolumeRules.iscsi,
  glusterfs: (source, field) => [...needs(source, 'endpoints', field), ...needs(source, 'path', field)],
  flocker: sharedVolumeRules.flocker,
  persistentVolumeClaim: (source, field) => needs(source, 'claimName', field),
  rbd: sharedVolumeRules.rbd,
  cinder: sharedVolumeRules.cinder,
  cephfs: sharedVolumeRules.cephfs,
  quobyte: sharedVolumeRules.quobyte,
  downwardAPI: (source, field) => [
    ...validateFileMode(numberAt(source, 'defaultMode'), field.child('defaultMode')),
    ...objectsAt(source, 'items').flatMap((file) => validateDownwardFile(file, field)),
  ],
  fc: sharedVolumeRules.fc,
  flexVolume: sharedVolumeRules.flexVolume,
  configMap: (source, field) => [...needs(source, 'name', field), ...validateFiles(source, field)],
  azureFile: (source, field) => [...needs(source, 'secretName', field), ...needs(source, 'shareName', field)],
  vsphereVolume: sharedVolumeRules.vsphereVolume,
  photonPersistentDisk: sharedVolumeRules.photonPersistentDisk,
  portworxVolume: sharedVolumeRules.portworxVolume,
  azureDisk: sharedVolumeRules.azureDisk,
  storageos: sharedVolumeRules.storageos,
  projected: validateProjected,
  scaleIO: sharedVolumeRules.scaleIO,
  csi: (source, field) => {
    const secret = objectAt(source, 'nodePublishSecretRef');
    return [
      ...validateDriverName(stringAt(source, 'driver'), field.child('driver')),
      ...(secret === undefined ? [] : validateSecretName(stringAt(secret, 'name'), field)),
    ];
  },
  ephemeral: validateEphemeral,
  image: (source, field) => [
    ...needs(source, 'reference', field),
    ...optionalOneOf(stringAt(source, 'pullPolicy'), ['Always', 'IfNotPresent', 'Never'], field.child('pullPolicy')),
  ],
};

/** Paths of some sources differ from their names in the reference's errors. */
const printedNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
/** So do others where they are one too many. */
const forbiddenNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Of a secret for publishing; the reference tells another place where the name is wrong than where there is none. */
function validateSecretName(name: string, field: Path): FieldError[] {
  return name === ''
    ? [required(field.child('nodePublishSecretRef', 'name'), '')]
    : messages(nameIsDNSSubdomain(name, false), field.child('name'), name);
}

function needs(source: JsonObject, key: string, field: Path): FieldError[] {
  return stringAt(source, key) === '' ? [required(field.child(key), '')] : [];
}

export interface VolumeCheck {
  /** Volumes that can be mounted, by name. */
  readonly usable: ReadonlyMap<string, JsonObject>;
  readonly errors: FieldError[];
}

/** `volumes` of a pod; `pod` is its metadata, absent in a template. */
export function* validateVolumes(
  volumes: readonly JsonObject[],
  pod: ObjectMeta | undefined,
  field: Path,
): Steps<VolumeCheck> {
  const usable = new Map<string, JsonObject>();
  const all: FieldError[] = [];
  const made = new Set(
    volumes
      .filter((volume) => pod?.name && objectAt(volume, 'ephemeral'))
      .map((volume) => `${pod?.name ?? ''}-${stringAt(volume, 'name')}`),
  );
  for (const [index, volume] of volumes.entries()) {
    if (sliceIsOver()) yield;
    const at = field.index(index);
    const name = stringAt(volume, 'name');
    const errors = validateSource(volume, pod?.name ?? '', at);
    errors.push(
      ...(name === '' ? [required(at.child('name'), '')] : messages(isDNS1123Label(name), at.child('name'), name)),
    );
    if (usable.has(name)) errors.push(duplicate(at.child('name'), name));
    if (errors.length === 0) usable.set(name, volume);
    all.push(...errors);
    const claim = stringAt(volume, 'persistentVolumeClaim', 'claimName');
    if (made.has(claim))
      all.push(
        invalid(
          at.child('persistentVolumeClaim', 'claimName'),
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
  }
  return { usable, errors: all };
}

function validateSource(volume: JsonObject, podName: string, field: Path): FieldError[] {
  const errors: FieldError[] = [];
  let sources = 0;
  for (const [name, rule] of Object.entries(sourceRules)) {
    const source = objectAt(volume, name);
    if (!source) continue;
    sources += 1;
    if (sources > 1)
      errors.push(
        forbidden(field.child(getKey(forbiddenNames, name) ?? name), 'may not specify more than 1 volume type'),
      );
    else errors.push(...rule(source, field.child(getKey(printedNames, name) ?? name)));
  }
  if (sources === 0) errors.push(required(field, 'must specify a volume type'));
  const name = stringAt(volume, 'name');
  if (sources !== 1 || !objectAt(volume, 'ephemeral') || podName === '' || name === '') return errors;
  const claim = `${podName}-${name}`;
  return [
    ...errors,
    ...nameIsDNSSubdomain(claim, false).map((text) =>
      invalid(field.child('name'), name, `PVC name ${JSON.stringify(claim)}: ${text}`),
    ),
  ];
}

function validateEphemeral(source: JsonObject, field: Path): FieldError[] {
  const template = objectAt(source, 'volumeClaimTemplate');
  const at = field.child('volumeClaimTemplate');
  return template
    ? [
        ...validateTemplateMetadata(template, at.child('metadata')),
        ...validateClaimSpec(objectAt(template, 'spec') ?? {}, at.child('spec')),
      ]
    : [required(at, '')];
}

/** `volumeMounts` and `volumeDevices` of a container. */
export function* validateMounts(
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
  field: Path,
): Steps<FieldError[]> {
  const devices = objectsAt(container, 'volumeDevices');
  const devicePaths = new Map(devices.map((device) => [stringAt(device, 'name'), stringAt(device, 'devicePath')]));
  const mountPaths = new Map(
    objectsAt(container, 'volumeMounts').map((mount) => [stringAt(mount, 'name'), stringAt(mount, 'mountPath')]),
  );
  const scope: MountScope = {
    container,
    volumes,
    devicesByName: new Set(devicePaths.keys()),
    devicePaths: new Set(devicePaths.values()),
    seen: new Set(),
  };
  const mounts = yield* errorsOfEach(objectsAt(container, 'volumeMounts'), (mount, index) =>
    validateMount(mount, scope, field.child('volumeMounts'), index),
  );
  return [...mounts, ...(yield* validateDevices(devices, mountPaths, volumes, field.child('volumeDevices')))];
}

interface MountScope {
  readonly container: JsonObject;
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly devicesByName: ReadonlySet<string>;
  readonly devicePaths: ReadonlySet<string>;
  readonly seen: Set<string>;
}

function validateMount(
  mount: JsonObject,
  { container, volumes, devicesByName, devicePaths, seen }: MountScope,
  list: Path,
  index: number,
): FieldError[] {
  const at = list.index(index);
  const [name = '', path = '', subPath = '', subPathExpr = ''] = ['name', 'mountPath', 'subPath', 'subPathExpr'].map(
    (key) => stringAt(mount, key),
  );
  const errors = needs(mount, 'name', at);
  if (!volumes.has(name)) errors.push(notFound(at.child('name'), name));
  errors.push(...needs(mount, 'mountPath', at));
  if (seen.has(path)) errors.push(invalid(at.child('mountPath'), path, 'must be unique'));
  seen.add(path);
  if (devicesByName.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
  if (devicePaths.has(path))
    errors.push(invalid(at.child('mountPath'), path, 'must not already exist as a path in volumeDevices'));
  // Here the reference forgets the index of the mount.
  if (subPath !== '') errors.push(...validateDescendingPath(subPath, list.child('subPath')));
  if (subPathExpr !== '') {
    if (subPath !== '')
      errors.push(invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
    errors.push(...validateDescendingPath(subPathExpr, list.child('subPathExpr')));
  }
  return [
    ...errors,
    ...validatePropagation(mount, container, list),
    ...validateRecursion(mount, list.child('recursiveReadOnly')),
  ];
}

function validateRecursion(mount: JsonObject, field: Path): FieldError[] {
  const [mode, propagation] = [mount['recursiveReadOnly'], mount['mountPropagation'] ?? 'None'];
  const errors = givenOneOf(mode, ['Disabled', 'Enabled', 'IfPossible'], field);
  if (errors.length > 0 || mode === undefined || mode === 'Disabled') return errors;
  return [
    ...(booleanAt(mount, 'readOnly') === true ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(propagation === 'None'
      ? []
      : [forbidden(field, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

function validatePropagation(mount: JsonObject, container: JsonObject, field: Path): FieldError[] {
  const mode = mount['mountPropagation'];
  const known = ['Bidirectional', 'HostToContainer', 'None'];
  if (typeof mode !== 'string') return [];
  if (!known.includes(mode)) return [notSupported(field.child('mountPropagation'), mode, known)];
  const privileged = booleanAt(container, 'securityContext', 'privileged') === true;
  return mode === 'Bidirectional' && !privileged
    ? [
        forbidden(
          field.child('mountPropagation'),
          'Bidirectional mount propagation is available only to privileged containers',
        ),
      ]
    : [];
}

function validateDevices(
  devices: readonly JsonObject[],
  mountPaths: ReadonlyMap<string, string>,
  volumes: ReadonlyMap<string, JsonObject>,
  field: Path,
): Steps<FieldError[]> {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const pathsOfMounts = new Set(mountPaths.values());
  return errorsOfEach(devices, (device, index) => {
    const at = field.index(index);
    const [name = '', path = ''] = ['name', 'devicePath'].map((key) => stringAt(device, key));
    const volume = volumes.get(name);
    const isClaim =
      volume !== undefined &&
      (objectAt(volume, 'persistentVolumeClaim') ?? objectAt(volume, 'ephemeral')) !== undefined;
    const errors = needs(device, 'name', at);
    if (names.has(name)) errors.push(invalid(at.child('name'), name, 'must be unique'));
    if (volume && !isClaim)
      errors.push(
        invalid(
          at.child('name'),
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    if (!volume) errors.push(notFound(at.child('name'), name));
    errors.push(...needs(device, 'devicePath', at));
    if (paths.has(path)) errors.push(invalid(at.child('devicePath'), path, 'must be unique'));
    if (path.split('/').includes('..'))
      errors.push(invalid(at.child('devicePath'), path, "can not contain backsteps ('..')"));
    else paths.add(path);
    if (pathsOfMounts.has(path))
      errors.push(invalid(at.child('devicePath'), path, 'must not already exist as a path in volumeMounts'));
    if (mountPaths.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    if (name !== '') names.add(name);
    return errors;
  });
}
