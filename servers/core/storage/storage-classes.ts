import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** StorageClasses (pkg/apis/storage/v1/defaults.go). */
export const storageClassStrategy: Strategy = {
  applyDefaults(storageClass) {
    setDefault(storageClass, 'reclaimPolicy', 'Delete');
    setDefault(storageClass, 'volumeBindingMode', 'Immediate');
  },
};
