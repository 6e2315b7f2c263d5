import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { validateDescendingPath, validateFileMode } from '#servers/core/validation/paths.ts';
import { quantity } from '#servers/core/validation/quantities.ts';
import { validateTemplateMetadata } from '#servers/core/validation/template-metadata.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { messages, optionalOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { quantitySign } from '#shared/apimachinery/values/quantity.ts';
import { validateClaimSpec } from './claims.ts';
import { interfaceTooLong, isInterfaceTooLong, validatePodIscsi } from './iscsi.ts';
import { validateProjected } from './projections.ts';
import { sharedVolumeRules, type VolumeRule } from './volume-drivers.ts';
import { validateDownwardFile, validateFiles } from './volume-files.ts';

/**
 * Volume sources in the order in which the reference validates them: of two sources, the later one gets the error.
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
  iscsi: validatePodIscsi,
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
  image: (source, field) =>
    optionalOneOf(stringAt(source, 'pullPolicy'), ['Always', 'IfNotPresent', 'Never'], field.child('pullPolicy')),
};

/** Sources whose path in the reference's errors differs from the name of the field. */
const printedNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
/** The same for the errors about a second source. */
const forbiddenNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/**
 * Validates the name of a secret for publishing. As in the reference the path of the error differs between a wrong name
 * and a missing one.
 */
function validateSecretName(name: string, field: Path): FieldError[] {
  return name === ''
    ? [required(field.child('nodePublishSecretRef', 'name'), '')]
    : messages(nameIsDNSSubdomain(name, false), field.child('name'), name);
}

export function needs(source: JsonObject, key: string, field: Path): FieldError[] {
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
  const volumeName = stringAt(volume, 'name');
  let sources = 0;
  for (const [name, rule] of Object.entries(sourceRules)) {
    const source = objectAt(volume, name);
    if (!source) continue;
    sources += 1;
    if (sources > 1)
      errors.push(
        forbidden(field.child(getKey(forbiddenNames, name) ?? name), 'may not specify more than 1 volume type'),
      );
    else errors.push(...rule(source, field.child(getKey(printedNames, name) ?? name), volumeName));
    // Templates may leave the reference to later.
    if (sources === 1 && name === 'image' && podName !== '')
      errors.push(...needs(source, 'reference', field.child(name)));
    if (name === 'iscsi' && isInterfaceTooLong(source, volumeName))
      errors.push(interfaceTooLong(field.child('name'), volumeName));
  }
  if (sources === 0) errors.push(required(field, 'must specify a volume type'));
  if (sources !== 1 || !objectAt(volume, 'ephemeral') || podName === '' || volumeName === '') return errors;
  const claim = `${podName}-${volumeName}`;
  return [
    ...errors,
    ...nameIsDNSSubdomain(claim, false).map((text) =>
      invalid(field.child('name'), volumeName, `PVC name ${goQuote(claim)}: ${text}`),
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
