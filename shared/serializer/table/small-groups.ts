import { formatGroupResource } from '../../apimachinery/gvk.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../apimachinery/object.ts';
import type { Cell, RowPrinter } from './cells.ts';
import { UNSET, ageOf, cellsOf, conditionOf, count, firstThree, intOrStringText, nameOf, textOr } from './cells.ts';

/** Groups with one or two kinds each. */

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

function printLeaseCandidate(object: JsonObject): Cell[] {
  const fields = ['leaseName', 'binaryVersion', 'emulationVersion'].map((name) => stringAt(object, 'spec', name));
  return [nameOf(object), ...fields, ageOf(object)];
}

function printEndpointSlice(object: JsonObject): Cell[] {
  const ports = objectsAt(object, 'ports').map((port) => intOrStringText(port, 'port') ?? portName(port));
  const addresses = objectsAt(object, 'endpoints').flatMap((endpoint) => stringsAt(endpoint, 'addresses'));
  return [nameOf(object), stringAt(object, 'addressType'), firstThree(ports), firstThree(addresses), ageOf(object)];
}

/** Without a number and a name, a port stands for all. */
function portName(port: JsonObject): string {
  return typeof port['name'] === 'string' ? port['name'] : '*';
}

function printPodDisruptionBudget(object: JsonObject): Cell[] {
  const bounds = ['minAvailable', 'maxUnavailable'].map((name) => intOrStringText(object, 'spec', name) ?? 'N/A');
  return [nameOf(object), ...bounds, count(object, 'status', 'disruptionsAllowed'), ageOf(object)];
}

function printStorageVersion(object: JsonObject): Cell[] {
  const versions = objectsAt(object, 'status', 'storageVersions').map(
    (item) => `${stringAt(item, 'apiServerID')}=${stringAt(item, 'encodingVersion')}`,
  );
  return [
    nameOf(object),
    textOr(UNSET, object, 'status', 'commonEncodingVersion'),
    firstThree(versions),
    ageOf(object),
  ];
}

function printStorageVersionMigration(object: JsonObject): Cell[] {
  const states = ['Running', 'Failed', 'Succeeded'];
  const state = objectsAt(object, 'status', 'conditions').findLast(
    (item) => stringAt(item, 'status') === 'True' && states.includes(stringAt(item, 'type')),
  );
  const resource = objectAt(object, 'spec', 'resource');
  return [
    nameOf(object),
    formatGroupResource({ group: stringAt(resource, 'group'), resource: stringAt(resource, 'resource') }),
    textOr('Unknown', state, 'type'),
  ];
}

export const APIREGISTRATION_PRINTERS: Readonly<Record<string, RowPrinter>> = { APIService: cellsOf(printAPIService) };
export const COORDINATION_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  Lease: cellsOf((object) => [nameOf(object), stringAt(object, 'spec', 'holderIdentity'), ageOf(object)]),
  LeaseCandidate: cellsOf(printLeaseCandidate),
};
export const DISCOVERY_PRINTERS: Readonly<Record<string, RowPrinter>> = { EndpointSlice: cellsOf(printEndpointSlice) };
export const NODE_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  RuntimeClass: cellsOf((object) => [nameOf(object), stringAt(object, 'handler'), ageOf(object)]),
};
export const POLICY_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  PodDisruptionBudget: cellsOf(printPodDisruptionBudget),
};
export const APISERVERINTERNAL_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  StorageVersion: cellsOf(printStorageVersion),
};
export const STORAGEMIGRATION_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  StorageVersionMigration: cellsOf(printStorageVersionMigration),
};
