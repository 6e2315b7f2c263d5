import { stringsAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** CSIDrivers (pkg/apis/storage/v1/defaults.go). */
export const csiDriverStrategy: Strategy = {
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
