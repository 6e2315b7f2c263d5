import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { validateNodeSelector } from '#servers/core/validation/node-selector.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import {
  duplicate,
  forbidden,
  notSupported,
  path,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import {
  limited,
  requestNamesOf,
  validateDeviceConfig,
  validateRequestRef,
  validateRequestRefs,
  type RequestNames,
} from './claim-validation.ts';
import { deviceId, deviceKey, validateDeviceName, validatePoolName, validateShareId } from './device-ids.ts';
import { validateDeviceStatus } from './device-status.ts';

// Validates the status of a claim: allocation, consumers and device status (pkg/apis/resource/validation,
// ValidateResourceClaimStatusUpdate).

const maxConsumers = 256;
const maxResults = 32;
const maxConfigs = 64;
const field = path('status');

/** The rules for writes of a claim's status. */
export const claimStatusRules: Pick<Strategy, 'prepareForStatusUpdate' | 'validateStatusUpdate'> = {
  prepareForStatusUpdate: dropDeallocated,
  validateStatusUpdate: validateClaimStatus,
};

function validateClaimStatus(claim: KubeObject, old: KubeObject): FieldError[] {
  const [status, before] = [objectAt(claim, 'status') ?? {}, objectAt(old, 'status') ?? {}];
  const allocation = objectAt(status, 'allocation');
  const allocated = new Set(objectsAt(allocation, 'devices', 'results').map(deviceKey));
  const devices = objectsAt(status, 'devices');
  return [
    ...validateConsumers(objectsAt(status, 'reservedFor')),
    ...devices.flatMap((device, index) => validateDeviceStatus(device, field.child('devices').index(index), allocated)),
    ...duplicates(devices, deviceKey, deviceId, field.child('devices')),
    ...validateReservation(claim, status, before),
    ...validateAllocation(
      allocation,
      objectAt(before, 'allocation'),
      requestNamesOf(objectsAt(claim, 'spec', 'devices', 'requests')),
    ),
  ];
}

/**
 * Drops, in place, the status of devices that the write deallocates, since clients may not know this field
 * (registry/resource/resourceclaim).
 */
function dropDeallocated(claim: KubeObject, old: KubeObject): void {
  const status = objectAt(claim, 'status');
  const devices = objectsAt(status, 'devices');
  if (status === undefined || devices.length === 0) return;
  const gone = new Set(objectsAt(old, 'status', 'allocation', 'devices', 'results').map(deviceKey));
  for (const result of objectsAt(status, 'allocation', 'devices', 'results')) gone.delete(deviceKey(result));
  const left = devices.filter((device) => !gone.has(deviceKey(device)));
  if (left.length > 0) status['devices'] = left;
  else delete status['devices'];
}

function validateConsumers(consumers: readonly JsonObject[]): FieldError[] {
  const at = field.child('reservedFor');
  if (consumers.length > maxConsumers) return [tooMany(at, consumers.length, maxConsumers)];
  return [
    ...consumers.flatMap((consumer, index) =>
      ['resource', 'name', 'uid']
        .filter((name) => stringAt(consumer, name) === '')
        .map((name) => required(at.index(index).child(name), '')),
    ),
    ...duplicates(consumers, uidOf, uidOf, at),
  ];
}

/** Only an allocated claim has consumers; a claim that is being deleted gets no new ones. */
function validateReservation(claim: KubeObject, status: JsonObject, before: JsonObject): FieldError[] {
  const consumers = objectsAt(status, 'reservedFor');
  if (consumers.length === 0) return [];
  const at = field.child('reservedFor');
  if (objectAt(status, 'allocation') === undefined)
    return [forbidden(at, 'may not be specified when `allocated` is not set')];
  const known = new Set(objectsAt(before, 'reservedFor').map(consumerKey));
  const isNew = (consumer: JsonObject): boolean => !known.has(consumerKey(consumer));
  if (!claim.metadata.deletionTimestamp || !consumers.some(isNew)) return [];
  return [forbidden(at, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set')];
}

/** Validates a new allocation. An existing one is immutable, but can be removed; it is not validated again. */
function validateAllocation(
  allocation: JsonObject | undefined,
  before: JsonObject | undefined,
  names: RequestNames,
): FieldError[] {
  if (allocation === undefined) return [];
  const at = field.child('allocation');
  if (before !== undefined) return validateUnchanged('io.k8s.api.resource.v1.AllocationResult', allocation, before, at);
  const selector = objectAt(allocation, 'nodeSelector');
  const devices = at.child('devices');
  return [
    ...limited(objectsAt(allocation, 'devices', 'results'), maxResults, devices.child('results'), (result, place) =>
      validateResult(result, names, place),
    ),
    ...limited(objectsAt(allocation, 'devices', 'config'), maxConfigs, devices.child('config'), (config, place) => [
      ...validateSource(stringAt(config, 'source'), place.child('source')),
      ...validateRequestRefs(stringsAt(config, 'requests'), names, place.child('requests')),
      ...validateDeviceConfig(config, place),
    ]),
    ...(selector === undefined ? [] : validateNodeSelector(selector, true, at.child('nodeSelector'))),
  ];
}

function validateResult(result: JsonObject, names: RequestNames, at: Path): FieldError[] {
  return [
    ...validateRequestRef(stringAt(result, 'request'), names, at.child('request')),
    ...validateDriverName(stringAt(result, 'driver'), at.child('driver')),
    ...validatePoolName(stringAt(result, 'pool'), at.child('pool')),
    ...validateDeviceName(stringAt(result, 'device'), at.child('device')),
    ...validateBindingConditions(result, at),
    ...validateShareId(result['shareID'], at.child('shareID')),
  ];
}

function validateSource(source: string, at: Path): FieldError[] {
  const known = ['FromClaim', 'FromClass'];
  if (source === '') return [required(at, '')];
  return known.includes(source) ? [] : [notSupported(at, source, known)];
}

/** Text that is equal for equal consumers. */
function consumerKey(consumer: JsonObject): string {
  return JSON.stringify(['apiGroup', 'resource', 'name', 'uid'].map((name) => stringAt(consumer, name)));
}

function uidOf(consumer: JsonObject): string {
  return stringAt(consumer, 'uid');
}

/** Errors for items whose key an earlier item has; `shown` makes the value in the error. */
function duplicates(
  items: readonly JsonObject[],
  keyOf: (item: JsonObject) => string,
  shown: (item: JsonObject) => JsonValue,
  at: Path,
): FieldError[] {
  const repeated = repetitions(items.map(keyOf));
  return items.flatMap((item, index) => (repeated[index] === true ? [duplicate(at.index(index), shown(item))] : []));
}
