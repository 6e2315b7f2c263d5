import type { Gates } from '#servers/core/gates/gates.ts';
import { goDiff } from '#servers/core/validation/go-diff.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { forbidden, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { validateFinalizerNames } from '#shared/registry/finalizer-names.ts';
import { validateAttributesClassChange, validateVolumeModeUpdate } from './volume-changes.ts';
import { validateVolumeSpec, volumeSources } from './volume-spec-validation.ts';

const specField = path('spec');

/** PersistentVolumes. */
export function validateVolume(volume: KubeObject): FieldError[] {
  return validateVolumeSpec(objectAt(volume, 'spec') ?? {}, specField, volume.metadata.name ?? '');
}

/** Volume sources that support mount options. */
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];
const mountOptions = 'volume.beta.kubernetes.io/mount-options';

/** Validates the mount options in the deprecated annotation (pkg/volume/validation). */
export function validateMountOptions(volume: KubeObject): FieldError[] {
  if (
    volume.metadata.annotations?.[mountOptions] === undefined ||
    mountable.some((source) => objectAt(volume, 'spec', source))
  )
    return [];
  return [
    forbidden(path('metadata', 'annotations', mountOptions), 'may not specify mount options for this volume type'),
  ];
}

const sourceModel = 'io.k8s.api.core.v1.PersistentVolumeSource';
const affinityModel = 'io.k8s.api.core.v1.VolumeNodeAffinity';

/** Validates an update of a PersistentVolume, whose source is immutable. */
export function validateVolumeUpdate(volume: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const pick = (one: KubeObject) =>
    Object.fromEntries(
      Object.keys(volumeSources).flatMap((name) => {
        const source = objectAt(one, 'spec', name);
        return source ? [[name, source] as const] : [];
      }),
    );
  const then = pick(old);
  const now = withoutNewExpandSecret(pick(volume), then);
  const errors = [
    ...atOnce(validateObjectMeta(volume.metadata, false, nameIsDNSSubdomain, path('metadata'))),
    ...validateFinalizerNames(volume),
    ...validateVolume(volume),
  ];
  if (!sameAs(sourceModel, now, then)) {
    errors.push(
      forbidden(
        specField.child('persistentvolumesource'),
        `spec.persistentvolumesource is immutable after creation\n${goDiff(sourceModel, then, now)}`,
      ),
    );
  }
  const [affinity, before] = [objectAt(volume, 'spec', 'nodeAffinity'), objectAt(old, 'spec', 'nodeAffinity')];
  errors.push(...validateVolumeModeUpdate(volume, old));
  if (
    !gates.MutablePVNodeAffinity &&
    before &&
    !sameAs(affinityModel, affinity, affinity ? withNewKeys(before, affinity) : before)
  ) {
    const shown = affinity ? goForm(affinityModel, affinity) : null;
    errors.push(invalid(path('nodeAffinity'), shown, 'field is immutable, except for updating from beta label to GA'));
  }
  return [
    ...errors,
    ...validateAttributesClassChange(volume, old, gates, (name, before) =>
      before !== undefined && name === undefined ? 'update from non-nil value to nil is forbidden' : undefined,
    ),
  ];
}

/** An update may add the secret with which a CSI driver expands the volume. */
function withoutNewExpandSecret(now: JsonObject, then: JsonObject): JsonObject {
  const [csi, before] = [objectAt(now, 'csi'), objectAt(then, 'csi')];
  if (csi === undefined || before === undefined || objectAt(before, 'controllerExpandSecretRef') !== undefined)
    return now;
  const { controllerExpandSecretRef: _secret, ...rest } = csi;
  return { ...now, csi: rest };
}

/** Beta labels and the names that replaced them. A label that is not listed counts as replaced by the empty name. */
const newNames: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

/**
 * The old affinity, in which beta labels are replaced by their new names where the new affinity uses these
 * (getMaskNodeSelectorLabelChangeEqualities).
 */
function withNewKeys(before: JsonObject, affinity: JsonObject): JsonObject {
  const masked = cloneJson(before);
  const termsNow = objectsAt(affinity, 'required', 'nodeSelectorTerms');
  for (const [index, term] of objectsAt(masked, 'required', 'nodeSelectorTerms').entries()) {
    for (const list of ['matchExpressions', 'matchFields']) {
      const now = objectsAt(termsNow[index], list);
      for (const [position, requirement] of objectsAt(term, list).entries()) {
        const key = stringAt(now[position], 'key');
        if (now[position] && (getKey(newNames, stringAt(requirement, 'key')) ?? '') === key) requirement['key'] = key;
      }
    }
  }
  return masked;
}
