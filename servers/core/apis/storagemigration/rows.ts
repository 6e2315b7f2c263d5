import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { cellsOf, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printStorageVersionMigration(object: JsonObject): Cell[] {
  const states = ['Running', 'Failed', 'Succeeded'];
  const state = objectsAt(object, 'status', 'conditions').findLast(
    (item) => stringAt(item, 'status') === 'True' && states.includes(stringAt(item, 'type')),
  );
  const resource = objectAt(object, 'spec', 'resource');
  return [
    nameOf(object),
    formatGroupResource({ group: stringAt(resource, 'group'), resource: stringAt(resource, 'resource') }),
    textOr('Unknown', state, 'type'),
  ];
}

export const storageVersionMigrationRows: KindRows = {
  print: cellsOf(printStorageVersionMigration),
};
