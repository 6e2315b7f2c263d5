import { validateConditions } from '#servers/core/validation/conditions.ts';
import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { validateInterfaceAddress } from '#servers/core/validation/ip-address.ts';
import {
  duplicate,
  invalid,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { validateRawObject } from './claim-validation.ts';
import { deviceId, deviceKey, validateDeviceName, validatePoolName, validateShareId } from './device-ids.ts';

const maxConditions = 8;
const maxAddresses = 16;
const maxInterfaceBytes = 256;
const maxHardwareBytes = 128;

/** Validates the status that a driver reports for a device (pkg/apis/resource/validation, validateDeviceStatus). */
export function validateDeviceStatus(device: JsonObject, field: Path, allocated: ReadonlySet<string>): FieldError[] {
  const conditions = objectsAt(device, 'conditions');
  const [at, data, network] = [field.child('conditions'), device['data'], objectAt(device, 'networkData')];
  return [
    ...validateDriverName(stringAt(device, 'driver'), field.child('driver')),
    ...validatePoolName(stringAt(device, 'pool'), field.child('pool')),
    ...validateDeviceName(stringAt(device, 'device'), field.child('device')),
    ...validateShareId(device['shareID'], field.child('shareID')),
    ...(allocated.has(deviceKey(device))
      ? []
      : [invalid(field, deviceId(device), 'must be an allocated device in the claim')]),
    ...(conditions.length > maxConditions ? [tooMany(at, conditions.length, maxConditions)] : []),
    ...validateConditions(conditions, at),
    ...(data === undefined || data === null ? [] : validateRawObject(data, field.child('data'))),
    ...(network === undefined ? [] : validateNetworkData(network, field.child('networkData'))),
  ];
}

function validateNetworkData(network: JsonObject, field: Path): FieldError[] {
  const [addresses, at] = [stringsAt(network, 'ips'), field.child('ips')];
  const errors = [
    ...tooLongText(network, 'interfaceName', maxInterfaceBytes, field),
    ...tooLongText(network, 'hardwareAddress', maxHardwareBytes, field),
  ];
  if (addresses.length > maxAddresses) return [...errors, tooMany(at, addresses.length, maxAddresses)];
  const repeated = repetitions(addresses);
  return [
    ...errors,
    ...addresses.flatMap((address, index) => validateInterfaceAddress(address, at.index(index))),
    ...addresses.flatMap((address, index) => (repeated[index] === true ? [duplicate(at.index(index), address)] : [])),
  ];
}

function tooLongText(network: JsonObject, name: string, maxBytes: number, field: Path): FieldError[] {
  return Buffer.byteLength(stringAt(network, name)) > maxBytes ? [tooLong(field.child(name), '', maxBytes)] : [];
}
