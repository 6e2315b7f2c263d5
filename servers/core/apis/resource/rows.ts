import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, ageOf, cellsOf, count, isDeleted, nameOf, since } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function claimState(claim: JsonObject): string {
  const deleted = isDeleted(claim);
  const states = deleted ? ['deleted'] : [];
  if (objectAt(claim, 'status', 'allocation') === undefined) return deleted ? 'deleted' : 'pending';
  states.push('allocated');
  if (objectsAt(claim, 'status', 'reservedFor').length > 0) states.push('reserved');
  return states.join(',');
}

function printResourceSlice(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    stringAt(object, 'spec', 'nodeName'),
    stringAt(object, 'spec', 'driver'),
    stringAt(object, 'spec', 'pool', 'name'),
    ageOf(object),
  ];
}

function printDeviceTaintRule(object: JsonObject): Cell[] {
  const taint = objectAt(object, 'spec', 'taint');
  const added = stringAt(taint, 'timeAdded');
  return [
    nameOf(object),
    stringAt(taint, 'key'),
    stringAt(taint, 'value'),
    stringAt(taint, 'effect'),
    added === '' ? '' : since(added),
    ageOf(object),
  ];
}

const DEVICE_COUNTS = ['totalDevices', 'availableDevices', 'allocatedDevices', 'unavailableDevices'] as const;

function printPoolStatusRequest(object: JsonObject): Cell[] {
  const end = objectsAt(object, 'status', 'conditions').find(
    (item) => ['Complete', 'Failed'].includes(stringAt(item, 'type')) && stringAt(item, 'status') === 'True',
  );
  const state = end === undefined ? 'Pending' : stringAt(end, 'type');
  const pools = objectsAt(object, 'status', 'pools');
  const total = count(object, 'status', 'poolCount');
  const counted = objectAt(object, 'status') !== undefined && state !== 'Failed';
  const sums = DEVICE_COUNTS.map((name) => String(pools.reduce((sum, pool) => sum + (numberAt(pool, name) ?? 0), 0)));
  const errors = pools.filter((pool) => (valueAt(pool, 'validationError') ?? null) !== null).length;
  return [
    nameOf(object),
    stringAt(object, 'spec', 'driver'),
    ...(counted ? [...sums, String(errors)] : ['-', '-', '-', '-', '-']),
    total,
    state === 'Complete' && total > pools.length ? `Complete (${pools.length}/${total} pools)` : state,
    state === 'Complete' ? since(stringAt(end, 'lastTransitionTime')) : NONE,
  ];
}

export const deviceClassRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), ageOf(object)]),
};

export const deviceTaintRuleRows: KindRows = {
  print: cellsOf(printDeviceTaintRule),
};

export const resourceClaimRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), claimState(object), ageOf(object)]),
};

export const resourceClaimTemplateRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), ageOf(object)]),
};

export const resourcePoolStatusRequestRows: KindRows = {
  print: cellsOf(printPoolStatusRequest),
};

export const resourceSliceRows: KindRows = {
  print: cellsOf(printResourceSlice),
};
