import { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, keyCount, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownMetadata } from '#shared/serializer/table/shown-fields.ts';

function printSecret(object: JsonObject): Cell[] {
  return [nameOf(object), stringAt(object, 'type'), keyCount(object, 'data'), ageOf(object)];
}

export const secretRows: KindRows = {
  print: cellsOf(printSecret),
  reads: new JsonProjection({ metadata: shownMetadata, type: 'all', data: 'keys' }),
};

export const configMapRows: KindRows = {
  print: cellsOf((object) => [
    nameOf(object),
    keyCount(object, 'data') + keyCount(object, 'binaryData'),
    ageOf(object),
  ]),
  reads: new JsonProjection({ metadata: shownMetadata, data: 'keys', binaryData: 'keys' }),
};
