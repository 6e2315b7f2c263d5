import type { Gates } from '#servers/core/gates/gates.ts';
import { validateEndpointAddress, validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { path, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import {
  isDNS1123Label,
  isQualifiedName,
  isValidPortNumber,
  nameIsDNSSubdomain,
} from '#shared/apimachinery/validation/names.ts';

/** Validates Endpoints (pkg/apis/core/validation); unchanged subsets are not validated again. */
export function validateEndpoints(endpoints: KubeObject, gates: Gates, old?: KubeObject): FieldError[] {
  if (old && sameMembers('io.k8s.api.core.v1.Endpoints', ['subsets'], endpoints, old)) return [];
  return objectsAt(endpoints, 'subsets').flatMap((subset, index) =>
    validateSubset(subset, gates, path('subsets').index(index)),
  );
}

function validateSubset(subset: JsonObject, gates: Gates, field: Path): FieldError[] {
  const [ports, addresses] = [
    objectsAt(subset, 'ports'),
    ['addresses', 'notReadyAddresses'].flatMap((list) => objectsAt(subset, list)),
  ];
  return [
    ...(addresses.length === 0 ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...['addresses', 'notReadyAddresses'].flatMap((list) =>
      objectsAt(subset, list).flatMap((address, index) =>
        validateAddress(address, gates, field.child(list).index(index)),
      ),
    ),
    ...ports.flatMap((port, index) => validatePort(port, ports.length > 1, field.child('ports').index(index))),
  ];
}

function validateAddress(address: JsonObject, gates: Gates, field: Path): FieldError[] {
  const [ip, host, node] = [stringAt(address, 'ip'), stringAt(address, 'hostname'), address['nodeName']];
  return [
    ...validateLegacyAddress(ip, gates, field.child('ip')),
    ...(host === '' ? [] : messages(isDNS1123Label(host), field.child('hostname'), host)),
    ...(typeof node === 'string' ? messages(nameIsDNSSubdomain(node, false), field.child('nodeName'), node) : []),
    ...validateEndpointAddress(ip, field.child('ip')),
  ];
}

function validatePort(port: JsonObject, needsName: boolean, field: Path): FieldError[] {
  const [name, number, application] = [stringAt(port, 'name'), numberAt(port, 'port') ?? 0, port['appProtocol']];
  return [
    ...(needsName && name === ''
      ? [required(field.child('name'), '')]
      : name === ''
        ? []
        : messages(isDNS1123Label(name), field.child('name'), name)),
    ...messages(isValidPortNumber(number), field.child('port'), number),
    ...oneOf(stringAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP'], field.child('protocol')),
    ...(typeof application === 'string'
      ? messages(isQualifiedName(application), field.child('appProtocol'), application)
      : []),
  ];
}
