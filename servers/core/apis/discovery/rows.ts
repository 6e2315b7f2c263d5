import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, firstThree, intOrStringText, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printEndpointSlice(object: JsonObject): Cell[] {
  const ports = objectsAt(object, 'ports').map((port) => intOrStringText(port, 'port') ?? portName(port));
  const addresses = objectsAt(object, 'endpoints').flatMap((endpoint) => stringsAt(endpoint, 'addresses'));
  return [nameOf(object), stringAt(object, 'addressType'), firstThree(ports), firstThree(addresses), ageOf(object)];
}

/** The name of a port; `*` for one without a name. */
function portName(port: JsonObject): string {
  return typeof port['name'] === 'string' ? port['name'] : '*';
}

export const endpointSliceRows: KindRows = {
  print: cellsOf(printEndpointSlice),
};
