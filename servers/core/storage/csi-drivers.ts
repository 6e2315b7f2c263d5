import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { objectAt, objectsAt, stringsAt, valueAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateCsiDriver, validateCsiDriverUpdate } from './csi-driver-validation.ts';

/** CSIDrivers (pkg/apis/storage/v1/defaults.go). */
export const csiDriverStrategy: Strategy = {
  prepareForCreate: (_context, driver) => dropPrevention(driver),
  // The generation is counted from the first change on, not from the creation.
  prepareForUpdate(_context, driver, old) {
    if (valueAt(old, 'spec', 'preventPodSchedulingIfMissing') === undefined) dropPrevention(driver);
    if (!deepEqual(driver['spec'], old['spec'])) driver.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: (_context, driver) => validateCsiDriver(driver),
  validateUpdate: (_context, driver, old) => validateCsiDriverUpdate(driver, old),
  warningsOnCreate: (driver) => tokenWarnings(driver),
  warningsOnUpdate: (driver, old) => (deepEqual(valueAt(driver, 'spec', 'tokenRequests'), valueAt(old, 'spec', 'tokenRequests')) ? [] : tokenWarnings(driver)),
  applyDefaults(driver) {
    const spec = ensureObject(driver, 'spec');
    setDefault(spec, 'attachRequired', true);
    setDefault(spec, 'podInfoOnMount', false);
    setDefault(spec, 'storageCapacity', false);
    setDefault(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
    if (stringsAt(spec, 'volumeLifecycleModes').length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
    setDefault(spec, 'requiresRepublish', false);
    setDefault(spec, 'seLinuxMount', false);
  },
};

/** The feature VolumeLimitScaling is off by default. */
function dropPrevention(driver: KubeObject): void {
  delete objectAt(driver, 'spec')?.['preventPodSchedulingIfMissing'];
}

/** Tokens that are not kept in secrets may end in logs. */
function tokenWarnings(driver: KubeObject): string[] {
  const decided = typeof valueAt(driver, 'spec', 'serviceAccountTokenInSecrets') === 'boolean';
  if (decided || objectsAt(driver, 'spec', 'tokenRequests').length === 0) return [];
  return ['spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes'];
}
