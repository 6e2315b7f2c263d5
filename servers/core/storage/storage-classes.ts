import { path } from '../../../shared/apimachinery/field-error.ts';
import { objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { nodeLabelWarnings } from '../warnings/node-labels.ts';
import { validateAttributesClass, validateAttributesClassUpdate, validateStorageClass, validateStorageClassUpdate } from './storage-class-validation.ts';

/** StorageClasses (pkg/apis/storage/v1/defaults.go). */
export const storageClassStrategy: Strategy = {
  validate: (_context, storageClass) => validateStorageClass(storageClass),
  validateUpdate: (_context, storageClass, old) => validateStorageClassUpdate(storageClass, old),
  warningsOnCreate: topologyWarnings,
  warningsOnUpdate: topologyWarnings,
  applyDefaults(storageClass) {
    setDefault(storageClass, 'reclaimPolicy', 'Delete');
    setDefault(storageClass, 'volumeBindingMode', 'Immediate');
  },
};

function topologyWarnings(storageClass: KubeObject): string[] {
  return objectsAt(storageClass, 'allowedTopologies').flatMap((term, index) => objectsAt(term, 'matchLabelExpressions').flatMap((expression, position) => {
    const field = path('allowedTopologies').index(index).child('matchLabelExpressions').index(position).child('key');
    return nodeLabelWarnings([stringAt(expression, 'key')], (text) => `${field.toString()}: ${text}`);
  }));
}

/** VolumeAttributesClasses. */
export const volumeAttributesClassStrategy: Strategy = {
  validate: (_context, attributesClass) => validateAttributesClass(attributesClass),
  validateUpdate: (_context, attributesClass, old) => validateAttributesClassUpdate(attributesClass, old),
};
