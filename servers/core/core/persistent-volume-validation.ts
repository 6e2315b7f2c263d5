import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { forbidden, invalid, notSupported, path, required, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { validateImmutableField, validateObjectMeta } from '../../../shared/apimachinery/meta-validation.ts';
import { isDNS1123Label, isDNS1123Subdomain, nameIsDNSSubdomain } from '../../../shared/apimachinery/names.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { quantityValue } from '../../../shared/apimachinery/quantity.ts';
import { validateFinalizerNames } from '../../../shared/registry/finalizer-names.ts';
import { validateAccessModes, validateClaimSpec } from '../validation/claims.ts';
import { givenOneOf, messages, optionalOneOf } from '../validation/field-rules.ts';
import { goDiff } from '../validation/go-diff.ts';
import { goForm } from '../validation/go-form.ts';
import { printable } from '../validation/label-selector.ts';
import { validateNodeSelector } from '../validation/node-selector.ts';
import { validateNoBacksteps } from '../validation/paths.ts';
import { amountsOf, compareAmounts, quantity, validatePositiveQuantity } from '../validation/quantities.ts';
import { sameAs } from '../validation/unchanged.ts';
import { sharedVolumeRules, type VolumeRule } from '../validation/volume-drivers.ts';

const specField = path('spec');
const secretRefs = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'];

const needs = (source: JsonObject, keys: readonly string[], field: Path) => keys.filter((key) => stringAt(source, key) === '').map((key) => required(field.child(key), ''));

/** In the order of the reference, which tells which of two sources is the one too many. */
const sources: Readonly<Record<string, VolumeRule>> = {
  hostPath: sharedVolumeRules.hostPath, gcePersistentDisk: sharedVolumeRules.gcePersistentDisk, awsElasticBlockStore: sharedVolumeRules.awsElasticBlockStore,
  glusterfs: (source, field) => needs(source, ['endpoints', 'path'], field),
  flocker: sharedVolumeRules.flocker, nfs: sharedVolumeRules.nfs, rbd: sharedVolumeRules.rbd, quobyte: sharedVolumeRules.quobyte, cephfs: sharedVolumeRules.cephfs,
  iscsi: sharedVolumeRules.iscsi, cinder: sharedVolumeRules.cinder, fc: sharedVolumeRules.fc, flexVolume: sharedVolumeRules.flexVolume,
  azureFile: (source, field) => needs(source, ['secretName', 'shareName'], field),
  vsphereVolume: sharedVolumeRules.vsphereVolume, photonPersistentDisk: sharedVolumeRules.photonPersistentDisk, portworxVolume: sharedVolumeRules.portworxVolume,
  azureDisk: sharedVolumeRules.azureDisk, scaleIO: sharedVolumeRules.scaleIO,
  local: (source, field) => {
    const text = stringAt(source, 'path');
    return text === '' ? [required(field.child('path'), '')] : validateNoBacksteps(text, field.child('path'));
  },
  storageos: sharedVolumeRules.storageos,
  csi: validateCsi,
};

function validateCsi(source: JsonObject, field: Path): FieldError[] {
  const driver = stringAt(source, 'driver');
  return [
    ...(driver === '' ? [required(field.child('driver'), '')] : messages(isDNS1123Subdomain(driver.toLowerCase()), field.child('driver'), driver)),
    ...needs(source, ['volumeHandle'], field),
    ...secretRefs.flatMap((key) => {
      const reference = objectAt(source, key);
      if (!reference) return [];
      const [name, namespace, at] = [stringAt(reference, 'name'), stringAt(reference, 'namespace'), field.child(key)];
      return [
        ...(name === '' ? [required(at.child('name'), '')] : messages(isDNS1123Subdomain(name), at.child('name'), name)),
        ...(namespace === '' ? [required(at.child('namespace'), '')] : messages(isDNS1123Label(namespace), at.child('namespace'), namespace)),
      ];
    }),
  ];
}

/** PersistentVolumes (pkg/apis/core/validation, ValidatePersistentVolumeSpec). */
export function validateVolume(volume: KubeObject): FieldError[] {
  const spec = objectAt(volume, 'spec') ?? {};
  const modes = stringsAt(spec, 'accessModes');
  const [className, policy] = [stringAt(spec, 'storageClassName'), stringAt(spec, 'persistentVolumeReclaimPolicy')];
  const rootRecycled = policy === 'Recycle' && /^\/+$/.test(stringAt(spec, 'hostPath', 'path'));
  return [
    ...(modes.length === 0 ? [required(specField.child('accessModes'), '')] : []),
    ...validateAccessModes(modes, specField.child('accessModes')),
    ...validateCapacity(objectAt(spec, 'capacity'), specField.child('capacity')),
    ...optionalOneOf(policy, ['Delete', 'Recycle', 'Retain'], specField.child('persistentVolumeReclaimPolicy')),
    ...validateNodeAffinity(objectAt(spec, 'nodeAffinity'), specField.child('nodeAffinity')),
    ...validateSource(spec),
    ...(rootRecycled ? [forbidden(specField.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")] : []),
    ...(className === '' ? [] : messages(nameIsDNSSubdomain(className, false), specField.child('storageClassName'), className)),
    ...givenOneOf(spec['volumeMode'], ['Block', 'Filesystem'], specField.child('volumeMode')),
    ...validateAttributesClassName(spec),
  ];
}

function validateAttributesClassName(spec: JsonObject): FieldError[] {
  const name = spec['volumeAttributesClassName'];
  if (typeof name !== 'string') return [];
  const field = specField.child('volumeAttributesClassName');
  return [
    ...(name === '' ? [required(field, 'an empty string is disallowed')] : messages(nameIsDNSSubdomain(name, false), field, name)),
    ...(objectAt(spec, 'csi') ? [] : [required(specField.child('csi'), 'has to be specified when using volumeAttributesClassName')]),
  ];
}

function validateCapacity(capacity: JsonObject | undefined, field: Path): FieldError[] {
  const entries = amountsOf(capacity);
  const errors: FieldError[] = entries.length === 0 ? [required(field, '')] : [];
  if (capacity?.['storage'] === undefined || entries.length > 1) errors.push(notSupported(field, printable(capacity), ['storage']));
  return [...errors, ...entries.flatMap(([name, amount]) => [...validateWholeAmount(amount, field.key(name)), ...validatePositiveQuantity(amount, field.key(name))])];
}

/** The number that an amount is rounded up to is what counts here. */
function validateWholeAmount(amount: JsonValue, field: Path): FieldError[] {
  const value = quantityValue(quantity(amount));
  return value < 0 ? [invalid(field, Number(value), 'must be a valid resource quantity')] : [];
}

function validateNodeAffinity(affinity: JsonObject | undefined, field: Path): FieldError[] {
  if (!affinity) return [];
  const selector = objectAt(affinity, 'required');
  return selector ? validateNodeSelector(selector, true, field.child('required')) : [required(field.child('required'), 'must specify required node constraints')];
}

function validateSource(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  let given = 0;
  for (const [name, rule] of Object.entries(sources)) {
    const source = objectAt(spec, name);
    if (!source) continue;
    given += 1;
    if (given > 1 && name !== 'flexVolume') errors.push(forbidden(specField.child(name === 'cephfs' ? 'cephFS' : name), 'may not specify more than 1 volume type'));
    else errors.push(...rule(source, specField.child(name === 'gcePersistentDisk' ? 'persistentDisk' : name)));
    if (given === 1 && name === 'local' && !objectAt(spec, 'nodeAffinity')) errors.push(required(specField.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
  return given === 0 ? [required(specField, 'must specify a volume type')] : errors;
}

const sourceModel = 'io.k8s.api.core.v1.PersistentVolumeSource';
const affinityModel = 'io.k8s.api.core.v1.VolumeNodeAffinity';
const claimModel = 'io.k8s.api.core.v1.PersistentVolumeClaimSpec';

/** Where the bytes lie does not change. */
export function validateVolumeUpdate(volume: KubeObject, old: KubeObject): FieldError[] {
  const pick = (one: KubeObject) => Object.fromEntries(Object.keys(sources).flatMap((name) => {
    const source = objectAt(one, 'spec', name);
    return source ? [[name, source] as const] : [];
  }));
  const [now, then] = [pick(volume), pick(old)];
  const errors = [...validateObjectMeta(volume.metadata, false, nameIsDNSSubdomain, path('metadata')), ...validateFinalizerNames(volume), ...validateVolume(volume)];
  if (!sameAs(sourceModel, now, then)) {
    errors.push(forbidden(specField.child('persistentvolumesource'), `spec.persistentvolumesource is immutable after creation\n${goDiff(sourceModel, then, now)}`));
  }
  const [affinity, before] = [objectAt(volume, 'spec', 'nodeAffinity'), objectAt(old, 'spec', 'nodeAffinity')];
  errors.push(...validateImmutableField(objectAt(volume, 'spec')?.['volumeMode'], objectAt(old, 'spec')?.['volumeMode'], path('volumeMode')));
  if (before && !sameAs(affinityModel, affinity, affinity ? withNewKeys(before, affinity) : before)) {
    const shown = affinity ? goForm(affinityModel, affinity) : null;
    errors.push(invalid(path('nodeAffinity'), shown, 'field is immutable, except for updating from beta label to GA'));
  }
  return errors;
}

/** Labels of beta times and what they are called now; what has no new name is as good as one without a name. */
const newNames: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os', 'beta.kubernetes.io/arch': 'kubernetes.io/arch', 'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

/** The old affinity with the keys of the new one where they are new names of the old (getMaskNodeSelectorLabelChangeEqualities). */
function withNewKeys(before: JsonObject, affinity: JsonObject): JsonObject {
  const masked = cloneJson(before);
  for (const [index, term] of objectsAt(masked, 'required', 'nodeSelectorTerms').entries()) {
    for (const list of ['matchExpressions', 'matchFields']) {
      const now = objectsAt(objectsAt(affinity, 'required', 'nodeSelectorTerms')[index], list);
      for (const [position, requirement] of objectsAt(term, list).entries()) {
        const key = stringAt(now[position], 'key');
        if (now[position] && (newNames[stringAt(requirement, 'key')] ?? '') === key) requirement['key'] = key;
      }
    }
  }
  return masked;
}

export function validateClaim(claim: KubeObject): FieldError[] {
  return validateClaimSpec(objectAt(claim, 'spec') ?? {}, specField);
}

/** A claim grows once it is bound; the rest of its spec stays. */
export function validateClaimUpdate(claim: KubeObject, old: KubeObject): FieldError[] {
  const bound = stringAt(old, 'status', 'phase') === 'Bound';
  const comparable = (one: KubeObject): JsonObject => {
    const spec = { ...objectAt(one, 'spec') };
    const before = objectAt(old, 'spec') ?? {};
    if (stringAt(before, 'volumeName') === '') delete spec['volumeName'];
    if (before['storageClassName'] === undefined) delete spec['storageClassName'];
    if (bound) for (const key of ['resources', 'volumeAttributesClassName']) delete spec[key];
    return spec;
  };
  const [now, then] = [comparable(claim), comparable(old)];
  const errors = validateClaim(claim);
  if (!sameAs(claimModel, now, then)) {
    errors.push(forbidden(specField, `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${goDiff(claimModel, objectAt(old, 'spec') ?? {}, objectAt(claim, 'spec') ?? {})}`));
  }
  const [size, before, actual] = [claim, old].map((one) => objectAt(one, 'spec', 'resources', 'requests')?.['storage']).concat(objectAt(old, 'status', 'capacity')?.['storage']);
  if (compareAmounts(size, before) < 0 && compareAmounts(size, actual) <= 0) {
    errors.push(forbidden(specField.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity'));
  }
  return [...errors, ...validateImmutableField(objectAt(claim, 'spec')?.['volumeMode'], objectAt(old, 'spec')?.['volumeMode'], path('volumeMode'))];
}
