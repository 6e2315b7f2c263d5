import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectsAt, stringAt, stringMapAt, stringsAt, valueAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, UNSET, ageOf, cellsOf, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printCSIDriver(object: JsonObject): Cell[] {
  const modes = stringsAt(object, 'spec', 'volumeLifecycleModes').join(',');
  const requests = valueAt(object, 'spec', 'tokenRequests');
  const audiences = objectsAt(object, 'spec', 'tokenRequests')
    .map((item) => stringAt(item, 'audience'))
    .join(',');
  return [
    nameOf(object),
    booleanAt(object, 'spec', 'attachRequired') ?? true,
    booleanAt(object, 'spec', 'podInfoOnMount') ?? false,
    booleanAt(object, 'spec', 'storageCapacity') ?? false,
    Array.isArray(requests) ? audiences : UNSET,
    booleanAt(object, 'spec', 'requiresRepublish') ?? false,
    modes === '' ? NONE : modes,
    ageOf(object),
  ];
}

function printStorageClass(object: JsonObject): Cell[] {
  const annotations = stringMapAt(object, 'metadata', 'annotations');
  const isDefault = [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ].some((key) => annotations.get(key) === 'true');
  return [
    nameOf(object) + (isDefault ? ' (default)' : ''),
    stringAt(object, 'provisioner'),
    textOr('Delete', object, 'reclaimPolicy'),
    textOr('Immediate', object, 'volumeBindingMode'),
    booleanAt(object, 'allowVolumeExpansion') ?? false,
    ageOf(object),
  ];
}

function printVolumeAttachment(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    stringAt(object, 'spec', 'attacher'),
    stringAt(object, 'spec', 'source', 'persistentVolumeName'),
    stringAt(object, 'spec', 'nodeName'),
    booleanAt(object, 'status', 'attached') ?? false,
    ageOf(object),
  ];
}

/** CSIStorageCapacity has a printer upstream, but its storage does not use it. */
export const csiDriverRows: KindRows = {
  print: cellsOf(printCSIDriver),
};

export const csiNodeRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), objectsAt(object, 'spec', 'drivers').length, ageOf(object)]),
};

export const storageClassRows: KindRows = {
  print: cellsOf(printStorageClass),
};

export const volumeAttachmentRows: KindRows = {
  print: cellsOf(printVolumeAttachment),
};

export const volumeAttributesClassRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), stringAt(object, 'driverName'), ageOf(object)]),
};
