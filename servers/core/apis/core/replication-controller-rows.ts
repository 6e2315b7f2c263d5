import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, containerCells, count, formatMap, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownWorkload } from '#shared/serializer/table/shown-fields.ts';

function printReplicationController(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    count(object, 'spec', 'replicas'),
    count(object, 'status', 'replicas'),
    count(object, 'status', 'readyReplicas'),
    ageOf(object),
    ...containerCells(object, 'spec', 'template', 'spec'),
    formatMap(object, 'spec', 'selector'),
  ];
}

export const replicationControllerRows: KindRows = {
  print: cellsOf(printReplicationController),
  reads: shownWorkload,
};
