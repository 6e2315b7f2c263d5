import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import { nodeLabelWarnings } from '#servers/core/warnings/node-labels.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { setDefault } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { storageClassRows, volumeAttributesClassRows } from './rows.ts';
import {
  validateAttributesClass,
  validateAttributesClassUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
} from './storage-class-validation.ts';

/** StorageClasses (pkg/apis/storage/v1/defaults.go). */
const storageClassStrategy: Strategy = {
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
  warningsOnCreate: topologyWarnings,
  warningsOnUpdate: topologyWarnings,
  applyDefaults(storageClass) {
    setDefault(storageClass, 'reclaimPolicy', 'Delete');
    setDefault(storageClass, 'volumeBindingMode', 'Immediate');
  },
};

function topologyWarnings(storageClass: KubeObject): string[] {
  return firstWarnings(objectsAt(storageClass, 'allowedTopologies'), (term, index) =>
    firstWarnings(objectsAt(term, 'matchLabelExpressions'), (expression, position) => {
      const field = path('allowedTopologies').index(index).child('matchLabelExpressions').index(position).child('key');
      return nodeLabelWarnings([stringAt(expression, 'key')], (text) => `${field.toString()}: ${text}`);
    }),
  );
}

/** VolumeAttributesClasses. */
const volumeAttributesClassStrategy: Strategy = {
  validate: validateAttributesClass,
  validateUpdate: validateAttributesClassUpdate,
};

export const storageClassResource = defineBuiltIn({
  group: 'storage.k8s.io',
  resource: 'storageclasses',
  rows: storageClassRows,
  strategy: storageClassStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
});

export const volumeAttributesClassResource = defineBuiltIn({
  group: 'storage.k8s.io',
  resource: 'volumeattributesclasses',
  rows: volumeAttributesClassRows,
  strategy: volumeAttributesClassStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
});
