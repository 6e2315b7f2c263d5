import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { UNSET, ageOf, cellsOf, firstThree, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printStorageVersion(object: JsonObject): Cell[] {
  const versions = objectsAt(object, 'status', 'storageVersions').map(
    (item) => `${stringAt(item, 'apiServerID')}=${stringAt(item, 'encodingVersion')}`,
  );
  return [
    nameOf(object),
    textOr(UNSET, object, 'status', 'commonEncodingVersion'),
    firstThree(versions),
    ageOf(object),
  ];
}

export const storageVersionRows: KindRows = {
  print: cellsOf(printStorageVersion),
};
