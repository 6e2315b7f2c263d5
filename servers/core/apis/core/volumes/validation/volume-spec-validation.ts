import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { validateNodeSelector } from '#servers/core/validation/node-selector.ts';
import { validateNoBacksteps } from '#servers/core/validation/paths.ts';
import { resourceAmounts, quantity, validatePositiveQuantity } from '#servers/core/validation/quantities.ts';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { printable } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { givenOneOf, messages, optionalOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, isDNS1123Subdomain, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { quantityValue, roundUpQuantity } from '#shared/apimachinery/values/quantity.ts';
import { validateAccessModes } from './claims.ts';
import { validateStoredIscsi } from './iscsi.ts';
import { sharedVolumeRules, type VolumeRule } from './volume-drivers.ts';

// Sources and access modes of volumes (pkg/apis/core/validation, ValidatePersistentVolumeSpec).

const secretRefs = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

/** Errors name one source otherwise than its field. */
const printedNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

const needs = (source: JsonObject, keys: readonly string[], field: Path) =>
  keys.filter((key) => stringAt(source, key) === '').map((key) => required(field.child(key), ''));

/** Volume sources in the order of the reference: of two sources, the later one gets the error. */
export const volumeSources: Readonly<Record<string, VolumeRule>> = {
  hostPath: sharedVolumeRules.hostPath,
  gcePersistentDisk: sharedVolumeRules.gcePersistentDisk,
  awsElasticBlockStore: sharedVolumeRules.awsElasticBlockStore,
  glusterfs: (source, field) => [
    ...needs(source, ['endpoints', 'path'], field),
    ...validateEndpointsNamespace(source['endpointsNamespace'], field.child('endpointsNamespace')),
  ],
  flocker: sharedVolumeRules.flocker,
  nfs: sharedVolumeRules.nfs,
  rbd: sharedVolumeRules.rbd,
  quobyte: sharedVolumeRules.quobyte,
  cephfs: sharedVolumeRules.cephfs,
  iscsi: validateStoredIscsi,
  cinder: (source, field) => [...sharedVolumeRules.cinder(source, field), ...needsSecretNamespace(source, field)],
  fc: sharedVolumeRules.fc,
  flexVolume: sharedVolumeRules.flexVolume,
  azureFile: (source, field) => [
    ...needs(source, ['secretName', 'shareName'], field),
    ...(source['secretNamespace'] === '' ? [required(field.child('secretNamespace'), '')] : []),
  ],
  vsphereVolume: sharedVolumeRules.vsphereVolume,
  photonPersistentDisk: sharedVolumeRules.photonPersistentDisk,
  portworxVolume: sharedVolumeRules.portworxVolume,
  azureDisk: sharedVolumeRules.azureDisk,
  scaleIO: sharedVolumeRules.scaleIO,
  local: (source, field) => {
    const text = stringAt(source, 'path');
    return text === '' ? [required(field.child('path'), '')] : validateNoBacksteps(text, field.child('path'));
  },
  storageos: (source, field) => [...sharedVolumeRules.storageos(source, field), ...needsSecretNamespace(source, field)],
  csi: validateCsi,
};

/** Some sources have a secret in any namespace, which must be named. */
function needsSecretNamespace(source: JsonObject, field: Path): FieldError[] {
  const secret = objectAt(source, 'secretRef');
  return secret ? needs(secret, ['namespace'], field.child('secretRef')) : [];
}

function validateEndpointsNamespace(namespace: JsonValue | undefined, field: Path): FieldError[] {
  if (typeof namespace !== 'string') return [];
  return namespace === ''
    ? [invalid(field, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')]
    : messages(isDNS1123Label(namespace), field, namespace);
}

function validateCsi(source: JsonObject, field: Path): FieldError[] {
  return [
    ...validateDriverName(stringAt(source, 'driver'), field.child('driver')),
    ...needs(source, ['volumeHandle'], field),
    ...secretRefs.flatMap((key) => {
      const reference = objectAt(source, key);
      if (!reference) return [];
      const [name, namespace, at] = [stringAt(reference, 'name'), stringAt(reference, 'namespace'), field.child(key)];
      return [
        ...(name === ''
          ? [required(at.child('name'), '')]
          : messages(isDNS1123Subdomain(name), at.child('name'), name)),
        ...(namespace === ''
          ? [required(at.child('namespace'), '')]
          : messages(isDNS1123Label(namespace), at.child('namespace'), namespace)),
      ];
    }),
  ];
}

/** Validates the spec of a PersistentVolume of this name, or of an inline volume in a VolumeAttachment. */
export function validateVolumeSpec(spec: JsonObject, field: Path, name: string | undefined): FieldError[] {
  const inline = name === undefined;
  const modes = stringsAt(spec, 'accessModes');
  return [
    ...(inline ? validateInline(spec, field) : []),
    ...(modes.length === 0 ? [required(field.child('accessModes'), '')] : []),
    ...validateAccessModes(modes, field.child('accessModes')),
    ...(inline ? validateInlineRest(spec, field) : validateStored(spec, field, name)),
  ];
}

function validateStored(spec: JsonObject, field: Path, name: string): FieldError[] {
  const [className, policy] = [stringAt(spec, 'storageClassName'), stringAt(spec, 'persistentVolumeReclaimPolicy')];
  return [
    ...validateCapacity(objectAt(spec, 'capacity'), field.child('capacity')),
    ...optionalOneOf(policy, ['Delete', 'Recycle', 'Retain'], field.child('persistentVolumeReclaimPolicy')),
    ...validateNodeAffinity(objectAt(spec, 'nodeAffinity'), field.child('nodeAffinity')),
    ...validateSource(spec, field, name),
    ...validateRecycled(spec, field),
    ...(className === ''
      ? []
      : messages(nameIsDNSSubdomain(className, false), field.child('storageClassName'), className)),
    ...givenOneOf(spec['volumeMode'], ['Block', 'Filesystem'], field.child('volumeMode')),
    ...validateAttributesClassName(spec, field),
  ];
}

const inlineDetail = 'may not be specified in the context of inline volumes';

/** Validates an inline volume: it has no claim and no capacity, and its source must be CSI. */
function validateInline(spec: JsonObject, field: Path): FieldError[] {
  return [
    ...(objectAt(spec, 'claimRef') ? [forbidden(field.child('claimRef'), inlineDetail)] : []),
    ...(resourceAmounts(objectAt(spec, 'capacity')).length > 0
      ? [forbidden(field.child('capacity'), inlineDetail)]
      : []),
    ...(objectAt(spec, 'csi')
      ? []
      : [required(field.child('csi'), 'has to be specified in the context of inline volumes')]),
  ];
}

function validateInlineRest(spec: JsonObject, field: Path): FieldError[] {
  const policy = stringAt(spec, 'persistentVolumeReclaimPolicy');
  const mode = spec['volumeMode'];
  return [
    ...(policy === '' || policy === 'Retain'
      ? []
      : [
          forbidden(
            field.child('persistentVolumeReclaimPolicy'),
            'may only be Retain in the context of inline volumes',
          ),
        ]),
    ...(objectAt(spec, 'nodeAffinity') ? [forbidden(field.child('nodeAffinity'), inlineDetail)] : []),
    ...validateSource(spec, field, undefined),
    ...validateRecycled(spec, field),
    ...(stringAt(spec, 'storageClassName') === '' ? [] : [forbidden(field.child('storageClassName'), inlineDetail)]),
    ...(typeof mode !== 'string' || mode === 'Filesystem'
      ? []
      : [
          forbidden(
            field.child('volumeMode'),
            'may not specify volumeMode other than Filesystem in the context of inline volumes',
          ),
        ]),
  ];
}

/** Refuses `Recycle` for a hostPath of `/`: it would delete every file of the node. */
function validateRecycled(spec: JsonObject, field: Path): FieldError[] {
  if (
    stringAt(spec, 'persistentVolumeReclaimPolicy') !== 'Recycle' ||
    !/^\/+$/.test(stringAt(spec, 'hostPath', 'path'))
  )
    return [];
  return [forbidden(field.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")];
}

function validateAttributesClassName(spec: JsonObject, specField: Path): FieldError[] {
  const name = spec['volumeAttributesClassName'];
  if (typeof name !== 'string') return [];
  const field = specField.child('volumeAttributesClassName');
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : messages(nameIsDNSSubdomain(name, false), field, name)),
    ...(objectAt(spec, 'csi')
      ? []
      : [required(specField.child('csi'), 'has to be specified when using volumeAttributesClassName')]),
  ];
}

function validateCapacity(capacity: JsonObject | undefined, field: Path): FieldError[] {
  const entries = resourceAmounts(capacity);
  const errors: FieldError[] = entries.length === 0 ? [required(field, '')] : [];
  if (capacity?.['storage'] === undefined || entries.length > 1)
    errors.push(notSupported(field, printable(capacity), ['storage']));
  return [
    ...errors,
    ...entries.flatMap(([name, amount]) => [
      ...validateWholeAmount(amount, field.key(name)),
      ...validatePositiveQuantity(amount, field.key(name)),
    ]),
  ];
}

/** Amounts of resources are rounded up to thousandths when they are decoded. */
const milli = -3;

/** Validates an amount, rounded up to a whole number. */
function validateWholeAmount(amount: JsonValue, field: Path): FieldError[] {
  const value = quantityValue(roundUpQuantity(quantity(amount), milli));
  return value < 0 ? [invalid(field, value, 'must be a valid resource quantity')] : [];
}

function validateNodeAffinity(affinity: JsonObject | undefined, field: Path): FieldError[] {
  if (!affinity) return [];
  const selector = objectAt(affinity, 'required');
  return selector
    ? validateNodeSelector(selector, true, field.child('required'))
    : [required(field.child('required'), 'must specify required node constraints')];
}

function validateSource(spec: JsonObject, specField: Path, volumeName: string | undefined): FieldError[] {
  const hasAffinity = volumeName !== undefined && objectAt(spec, 'nodeAffinity') !== undefined;
  const errors: FieldError[] = [];
  let given = 0;
  for (const [name, rule] of Object.entries(volumeSources)) {
    const source = objectAt(spec, name);
    if (!source) continue;
    given += 1;
    if (given > 1 && name !== 'flexVolume')
      errors.push(
        forbidden(specField.child(name === 'cephfs' ? 'cephFS' : name), 'may not specify more than 1 volume type'),
      );
    else errors.push(...rule(source, specField.child(getKey(printedNames, name) ?? name), volumeName ?? ''));
    if (given === 1 && name === 'local' && !hasAffinity)
      errors.push(required(specField.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
  return given === 0 ? [required(specField, 'must specify a volume type')] : errors;
}
