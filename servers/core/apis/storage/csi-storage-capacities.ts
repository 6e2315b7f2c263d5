import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateNonNegativeQuantity } from '#servers/core/validation/quantities.ts';
import { nodeSelectorWarnings } from '#servers/core/warnings/node-labels.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { printable, validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';

/** CSIStorageCapacities (pkg/apis/storage/validation). */
const csiStorageCapacityStrategy: Strategy = {
  validate: validateCapacity,
  validateUpdate: (capacity, old) => [...validateCapacity(capacity), ...validateKept(capacity, old)],
  warningsOnCreate: topologyWarnings,
  warningsOnUpdate: topologyWarnings,
};

function topologyWarnings(capacity: KubeObject): string[] {
  return nodeSelectorWarnings(objectAt(capacity, 'nodeTopology'), path('nodeTopology'));
}

function validateCapacity(capacity: KubeObject): FieldError[] {
  const className = stringAt(capacity, 'storageClassName');
  return [
    ...validateLabelSelector(objectAt(capacity, 'nodeTopology'), path('nodeTopology')),
    ...messages(nameIsDNSSubdomain(className, false), path('storageClassName'), className),
    ...(typeof capacity['capacity'] === 'string'
      ? validateNonNegativeQuantity(capacity['capacity'], path('capacity'))
      : []),
  ];
}

function validateKept(capacity: KubeObject, old: KubeObject): FieldError[] {
  const topology = objectAt(capacity, 'nodeTopology');
  const className = stringAt(capacity, 'storageClassName');
  const immutable = 'field is immutable';
  return [
    ...(sameAs('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector', topology, objectAt(old, 'nodeTopology'))
      ? []
      : [invalid(path('nodeTopology'), printable(topology), immutable)]),
    ...(className === stringAt(old, 'storageClassName')
      ? []
      : [invalid(path('storageClassName'), className, immutable)]),
  ];
}

export const csiStorageCapacityResource = defineBuiltIn({
  group: 'storage.k8s.io',
  resource: 'csistoragecapacities',
  strategy: csiStorageCapacityStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'both',
  },
});
