import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateAttributesClass, validateAttributesClassUpdate, validateStorageClass, validateStorageClassUpdate } from './storage-class-validation.ts';

/** StorageClasses (pkg/apis/storage/v1/defaults.go). */
export const storageClassStrategy: Strategy = {
  validate: (_context, storageClass) => validateStorageClass(storageClass),
  validateUpdate: (_context, storageClass, old) => validateStorageClassUpdate(storageClass, old),
  applyDefaults(storageClass) {
    setDefault(storageClass, 'reclaimPolicy', 'Delete');
    setDefault(storageClass, 'volumeBindingMode', 'Immediate');
  },
};

/** VolumeAttributesClasses. */
export const volumeAttributesClassStrategy: Strategy = {
  validate: (_context, attributesClass) => validateAttributesClass(attributesClass),
  validateUpdate: (_context, attributesClass, old) => validateAttributesClassUpdate(attributesClass, old),
};
