import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringMapAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { UNSET, ageOf, cellsOf, isDeleted, nameOf, quantityText, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(object: JsonObject, ...path: readonly string[]): string {
  const modes = stringsAt(object, ...path);
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The cell for the class; a class that is set to the empty text is shown as empty. */
function attributesClass(object: JsonObject): string {
  const name = objectAt(object, 'spec')?.['volumeAttributesClassName'];
  return typeof name === 'string' ? name : UNSET;
}

function storageClass(object: JsonObject): string {
  const annotation = stringMapAt(object, 'metadata', 'annotations').get('volume.beta.kubernetes.io/storage-class');
  return annotation ?? stringAt(object, 'spec', 'storageClassName');
}

function printPersistentVolume(object: JsonObject): Cell[] {
  const claim = objectAt(object, 'spec', 'claimRef');
  return [
    nameOf(object),
    quantityText(object, 'spec', 'capacity', 'storage'),
    accessModes(object, 'spec', 'accessModes'),
    stringAt(object, 'spec', 'persistentVolumeReclaimPolicy'),
    isDeleted(object) ? 'Terminating' : stringAt(object, 'status', 'phase'),
    claim === undefined ? '' : `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}`,
    storageClass(object),
    attributesClass(object),
    stringAt(object, 'status', 'reason'),
    ageOf(object),
    textOr(UNSET, object, 'spec', 'volumeMode'),
  ];
}

function printPersistentVolumeClaim(object: JsonObject): Cell[] {
  const volume = stringAt(object, 'spec', 'volumeName');
  const bound = volume !== '';
  return [
    nameOf(object),
    isDeleted(object) ? 'Terminating' : stringAt(object, 'status', 'phase'),
    volume,
    bound ? quantityText(object, 'status', 'capacity', 'storage') : '',
    bound ? accessModes(object, 'status', 'accessModes') : '',
    storageClass(object),
    attributesClass(object),
    ageOf(object),
    textOr(UNSET, object, 'spec', 'volumeMode'),
  ];
}

export const persistentVolumeRows: KindRows = {
  print: cellsOf(printPersistentVolume),
};

export const persistentVolumeClaimRows: KindRows = {
  print: cellsOf(printPersistentVolumeClaim),
};
