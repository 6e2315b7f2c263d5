import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { cellsOf, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printComponentStatus(object: JsonObject): Cell[] {
  const healthy = objectsAt(object, 'conditions').find((item) => stringAt(item, 'type') === 'Healthy');
  const status = healthy === undefined ? 'Unknown' : stringAt(healthy, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
  return [nameOf(object), status, stringAt(healthy, 'message'), stringAt(healthy, 'error')];
}

export const componentStatusRows: KindRows = {
  print: cellsOf(printComponentStatus),
};
