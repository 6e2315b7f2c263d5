import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, count, intOrStringText, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printPodDisruptionBudget(object: JsonObject): Cell[] {
  const bounds = ['minAvailable', 'maxUnavailable'].map((name) => intOrStringText(object, 'spec', name) ?? 'N/A');
  return [nameOf(object), ...bounds, count(object, 'status', 'disruptionsAllowed'), ageOf(object)];
}

export const podDisruptionBudgetRows: KindRows = {
  print: cellsOf(printPodDisruptionBudget),
};
