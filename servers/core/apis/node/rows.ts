import { stringAt } from '#shared/apimachinery/object.ts';
import { ageOf, cellsOf, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

export const runtimeClassRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), stringAt(object, 'handler'), ageOf(object)]),
};
