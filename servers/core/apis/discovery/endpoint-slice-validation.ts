import type { Gates } from '#servers/core/gates/gates.ts';
import {
  validateAddress,
  validateEndpointAddress,
  validateLegacyAddress,
} from '#servers/core/validation/ip-address.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import {
  duplicate,
  invalid,
  path,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { givenOneOf, messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  nameIsDNSSubdomain,
} from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';

const maxEndpoints = 1000;
const maxAddresses = 100;
/** Of too many addresses, only this many are validated one by one. */
const maxJudged = 10_000;
const maxPorts = 20_000;
/** Maximum of zone hints, and of node hints, of one endpoint. */
const maxHints = 8;

/** Validates EndpointSlices (pkg/apis/discovery/validation); unchanged endpoints are not validated again. */
export function validateEndpointSlice(slice: KubeObject, gates: Gates, old?: KubeObject): FieldError[] {
  const kept = old !== undefined && sameMembers('io.k8s.api.discovery.v1.EndpointSlice', ['endpoints'], slice, old);
  return [
    ...oneOf(stringAt(slice, 'addressType'), ['FQDN', 'IPv4', 'IPv6'], path('addressType')),
    ...validatePorts(objectsAt(slice, 'ports')),
    ...(kept ? [] : validateEndpoints(objectsAt(slice, 'endpoints'), stringAt(slice, 'addressType'), gates)),
    ...(old
      ? validateImmutableField(stringAt(slice, 'addressType'), stringAt(old, 'addressType'), path('addressType'))
      : []),
  ];
}

function validatePorts(ports: readonly JsonObject[]): FieldError[] {
  if (ports.length > maxPorts) return [tooMany(path('ports'), ports.length, maxPorts)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = path('ports').index(index);
    const [name, application] = [stringAt(port, 'name'), port['appProtocol']];
    const errors = name === '' ? [] : messages(isDNS1123Label(name), field.child('name'), name);
    if (names.has(name)) errors.push(duplicate(field.child('name'), name));
    names.add(name);
    errors.push(...givenOneOf(port['protocol'], ['SCTP', 'TCP', 'UDP'], field.child('protocol')));
    return typeof application === 'string'
      ? [...errors, ...messages(isQualifiedName(application), field.child('appProtocol'), application)]
      : errors;
  });
}

function validateEndpoints(endpoints: readonly JsonObject[], type: string, gates: Gates): FieldError[] {
  if (endpoints.length > maxEndpoints) return [tooMany(path('endpoints'), endpoints.length, maxEndpoints)];
  return endpoints.flatMap((endpoint, index) => {
    const field = path('endpoints').index(index);
    const [addresses, node, host] = [stringsAt(endpoint, 'addresses'), endpoint['nodeName'], endpoint['hostname']];
    const at = field.child('addresses');
    const errors: FieldError[] =
      addresses.length === 0
        ? [required(at, 'must contain at least 1 address')]
        : addresses.length > maxAddresses
          ? [tooMany(at, addresses.length, maxAddresses)]
          : [];
    errors.push(
      ...addresses
        .slice(0, maxJudged)
        .flatMap((address, position) => validateOne(address, type, gates, at.index(position), at)),
    );
    if (typeof node === 'string')
      errors.push(...messages(nameIsDNSSubdomain(node, false), field.child('nodeName'), node));
    if (typeof host === 'string') errors.push(...messages(isDNS1123Label(host), field.child('hostname'), host));
    return [...errors, ...validateHints(objectAt(endpoint, 'hints'), field.child('hints'))];
  });
}

/** Validates for which zones and nodes an endpoint is meant. */
function validateHints(hints: JsonObject | undefined, field: Path): FieldError[] {
  const [zones, nodes] = [objectsAt(hints, 'forZones'), objectsAt(hints, 'forNodes')];
  if (zones.length > maxHints) return [tooMany(field.child('forZones'), zones.length, maxHints)];
  const ofZones = validateHintNames(zones, isLabelValue, field.child('forZones'));
  if (nodes.length > maxHints) return [...ofZones, tooMany(field.child('forNodes'), nodes.length, maxHints)];
  return [...ofZones, ...validateHintNames(nodes, (name) => nameIsDNSSubdomain(name, false), field.child('forNodes'))];
}

function validateHintNames(hints: readonly JsonObject[], rule: (name: string) => string[], field: Path): FieldError[] {
  const names = hints.map((hint) => stringAt(hint, 'name'));
  const repeated = repetitions(names);
  return names.flatMap((name, index) => {
    const at = field.index(index).child('name');
    return [...(repeated[index] === true ? [duplicate(at, name)] : []), ...messages(rule(name), at, name)];
  });
}

function validateOne(address: string, type: string, gates: Gates, at: Path, list: Path): FieldError[] {
  if (type === 'FQDN') return messages(isDNS1123Subdomain(address), at, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? validateLegacyAddress(address, gates, at) : validateAddress(address, at);
  if (errors.length > 0) return errors;
  const fits = address.includes(':') === (type === 'IPv6');
  return [
    ...(fits ? [] : [invalid(list, address, `must be an ${type} address`)]),
    ...validateEndpointAddress(address, at),
  ];
}
