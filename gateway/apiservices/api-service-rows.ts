import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, conditionOf, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printAPIService(object: JsonObject): Cell[] {
  const service = objectAt(object, 'spec', 'service');
  const available = conditionOf(object, 'Available');
  const status = textOr('Unknown', available, 'status');
  const reason = stringAt(available, 'reason');
  return [
    nameOf(object),
    service === undefined ? 'Local' : `${stringAt(service, 'namespace')}/${stringAt(service, 'name')}`,
    status === 'True' || reason === '' ? status : `${status} (${reason})`,
    ageOf(object),
  ];
}

export const apiServiceRows: KindRows = {
  print: cellsOf(printAPIService),
};
