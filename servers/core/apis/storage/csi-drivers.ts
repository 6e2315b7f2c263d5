import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { objectAt, objectsAt, stringsAt, valueAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import { addInt64 } from '#shared/apimachinery/values/int64.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateCsiDriver, validateCsiDriverUpdate } from './csi-driver-validation.ts';
import { csiDriverRows } from './rows.ts';

/** CSIDrivers (pkg/apis/storage/v1/defaults.go). */
const csiDriverStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  // The generation is absent after creation; the first change sets it to 1.
  prepareForUpdate(driver, old) {
    if (!sameMembers('io.k8s.api.storage.v1.CSIDriver', ['spec'], driver, old))
      driver.metadata.generation = addInt64(old.metadata.generation ?? 0, 1);
  },
  validate: validateCsiDriver,
  validateUpdate: validateCsiDriverUpdate,
  warningsOnCreate: (driver) => tokenWarnings(driver, gates),
  warningsOnUpdate: (driver, old) => (sameTokens(driver, old) ? [] : tokenWarnings(driver, gates)),
  applyDefaults(driver) {
    const spec = ensureObject(driver, 'spec');
    setDefault(spec, 'attachRequired', true);
    setDefault(spec, 'podInfoOnMount', false);
    setDefault(spec, 'storageCapacity', false);
    setDefault(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
    if (stringsAt(spec, 'volumeLifecycleModes').length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
    setDefault(spec, 'requiresRepublish', false);
    if (gates.SELinuxMountReadWriteOncePod) setDefault(spec, 'seLinuxMount', false);
    if (gates.VolumeLimitScaling) setDefault(spec, 'preventPodSchedulingIfMissing', false);
  },
});

const sameTokens = (driver: KubeObject, old: KubeObject): boolean =>
  sameMembers(
    'io.k8s.api.storage.v1.CSIDriverSpec',
    ['tokenRequests'],
    objectAt(driver, 'spec'),
    objectAt(old, 'spec'),
  );

/** Warns about service account tokens that are not passed as secrets, since they may be logged. */
function tokenWarnings(driver: KubeObject, gates: Gates): string[] {
  if (!gates.CSIServiceAccountTokenSecrets) return [];
  const decided = typeof valueAt(driver, 'spec', 'serviceAccountTokenInSecrets') === 'boolean';
  if (decided || objectsAt(driver, 'spec', 'tokenRequests').length === 0) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

export const csiDriverResource = defineBuiltIn({
  group: 'storage.k8s.io',
  resource: 'csidrivers',
  rows: csiDriverRows,
  strategy: csiDriverStrategy,
  writes: {
    allowUnconditionalUpdate: false,
  },
  gatedFields: [
    { gates: ['SELinuxMountReadWriteOncePod'], fields: ['spec.seLinuxMount'] },
    { gates: ['MutableCSINodeAllocatableCount'], fields: ['spec.nodeAllocatableUpdatePeriodSeconds'] },
    { gates: ['CSIServiceAccountTokenSecrets'], fields: ['spec.serviceAccountTokenInSecrets'] },
    { gates: ['VolumeLimitScaling'], fields: ['spec.preventPodSchedulingIfMissing'] },
  ],
});
