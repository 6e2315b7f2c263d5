import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printLeaseCandidate(object: JsonObject): Cell[] {
  const fields = ['leaseName', 'binaryVersion', 'emulationVersion'].map((name) => stringAt(object, 'spec', name));
  return [nameOf(object), ...fields, ageOf(object)];
}

export const leaseRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), stringAt(object, 'spec', 'holderIdentity'), ageOf(object)]),
};

export const leaseCandidateRows: KindRows = {
  print: cellsOf(printLeaseCandidate),
};
