import { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import { ageOf, cellsOf, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownMetadata } from '#shared/serializer/table/shown-fields.ts';

export const serviceAccountRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), ageOf(object)]),
  reads: new JsonProjection({ metadata: shownMetadata }),
};
