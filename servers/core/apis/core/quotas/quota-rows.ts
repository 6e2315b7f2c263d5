import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringMapAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, nameOf, quantityText } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printResourceQuota(object: JsonObject): Cell[] {
  const hard = [...stringMapAt(object, 'status', 'hard')].sort(([a], [b]) => compareUtf8(a, b));
  const columns = { requests: [] as string[], limits: [] as string[] };
  for (const [resource, limit] of hard) {
    const list = resource.startsWith('limits.') ? columns.limits : columns.requests;
    list.push(`${resource}: ${quantityText(object, 'status', 'used', resource)}/${limit}`);
  }
  return [nameOf(object), columns.requests.join(', '), columns.limits.join(', '), ageOf(object)];
}

export const resourceQuotaRows: KindRows = {
  print: cellsOf(printResourceQuota),
};
