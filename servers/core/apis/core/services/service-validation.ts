import type { Gates } from '#servers/core/gates/gates.ts';
import { validateEndpointAddress, validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import { validatePortNumberOrName } from '#servers/core/validation/ports.ts';
import {
  duplicate,
  forbidden,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isInRange,
  isQualifiedName,
  isValidPortNumber,
} from '#shared/apimachinery/validation/names.ts';
import { isHeadless, validateAddressChange, validateAddressFields } from './service-address-validation.ts';
import { needsHealthCheckPort } from './service-defaults.ts';
import { validateLoadBalancer, validateLoadBalancerClass, validateTraffic } from './service-traffic-validation.ts';

const specField = path('spec');
const portsField = path('spec', 'ports');

/** Services (pkg/apis/core/validation, validateService), in the order of the reference. */
export function validateService(service: KubeObject, gates: Gates, old?: KubeObject): FieldError[] {
  const spec = objectAt(service, 'spec') ?? {};
  const selector = objectAt(spec, 'selector') as Record<string, string> | undefined;
  return [
    ...validateTopologyMode(service),
    ...validateType(service, spec),
    ...validatePorts(spec),
    ...atOnce(validateLabels(selector, specField.child('selector'))),
    ...validateAffinity(spec),
    ...validateAddressFields(service, gates, old),
    ...validateExternalIPs(spec, gates, old),
    ...oneOf(
      stringAt(spec, 'type'),
      ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
      specField.child('type'),
    ),
    ...validateNodePorts(spec),
    ...validateLoadBalancer(service, gates, old),
    ...validateTraffic(service, gates),
  ];
}

/** Validates an update. Addresses are immutable until the Service becomes an ExternalName. */
export function validateServiceUpdate(service: KubeObject, gates: Gates, old: KubeObject): FieldError[] {
  const check = (one: KubeObject) => numberAt(one, 'spec', 'healthCheckNodePort') ?? 0;
  const moved = needsHealthCheckPort(service) && needsHealthCheckPort(old) && check(service) !== check(old);
  return [
    ...validateAddressChange(service, old),
    ...validateLoadBalancerClass(service, old),
    ...(moved ? [forbidden(path('spec', 'healthCheckNodePort'), 'field is immutable')] : []),
    ...validateService(service, gates, old),
  ];
}

const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';

/** The deprecated annotation must agree with the one that replaced it. */
function validateTopologyMode({ metadata: { annotations } }: KubeObject): FieldError[] {
  const [hints, mode] = [annotations?.[topologyHints], annotations?.[topologyMode]];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  return [
    invalid(
      path('metadata', 'annotations').key(topologyMode),
      mode,
      `must match annotations[${topologyHints}] when both are specified`,
    ),
  ];
}

function validateType(service: KubeObject, spec: JsonObject): FieldError[] {
  const type = stringAt(spec, 'type');
  const errors: FieldError[] = [];
  if (objectsAt(spec, 'ports').length === 0 && !isHeadless(service) && type !== 'ExternalName')
    errors.push(required(portsField, ''));
  if (isHeadless(service) && (type === 'NodePort' || type === 'LoadBalancer')) {
    errors.push(invalid(path('spec', 'clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type !== 'ExternalName') return errors;
  for (const key of ['clusterIPs', 'ipFamilies']) {
    if (stringsAt(spec, key).length > 0)
      errors.push(forbidden(specField.child(key), 'may not be set for ExternalName services'));
  }
  if (spec['ipFamilyPolicy'] !== undefined)
    errors.push(forbidden(specField.child('ipFamilyPolicy'), 'may not be set for ExternalName services'));
  const name = stringAt(spec, 'externalName').replace(/\.$/, '');
  const field = specField.child('externalName');
  return [...errors, ...(name === '' ? [required(field, '')] : messages(isDNS1123Subdomain(name), field, name))];
}

function validatePorts(spec: JsonObject): FieldError[] {
  const ports = objectsAt(spec, 'ports');
  const names = new Set<string>();
  return ports.flatMap((port, index) => validatePort(port, ports.length > 1, names, portsField.index(index)));
}

function validatePort(port: JsonObject, needsName: boolean, names: Set<string>, field: Path): FieldError[] {
  const name = stringAt(port, 'name');
  const number = numberAt(port, 'port') ?? 0;
  const errors: FieldError[] = needsName && name === '' ? [required(field.child('name'), '')] : [];
  if (name !== '') {
    errors.push(...messages(isDNS1123Label(name), field.child('name'), name));
    if (names.has(name)) errors.push(duplicate(field.child('name'), name));
    names.add(name);
  }
  errors.push(...messages(isValidPortNumber(number), field.child('port'), number));
  errors.push(...oneOf(stringAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP'], field.child('protocol')));
  errors.push(...validatePortNumberOrName(port['targetPort'], field.child('targetPort')));
  const application = stringAt(port, 'appProtocol');
  return port['appProtocol'] === undefined
    ? errors
    : [...errors, ...messages(isQualifiedName(application), field.child('appProtocol'), application)];
}

function validateAffinity(spec: JsonObject): FieldError[] {
  const affinity = stringAt(spec, 'sessionAffinity');
  const errors = oneOf(affinity, ['ClientIP', 'None'], specField.child('sessionAffinity'));
  const field = specField.child('sessionAffinityConfig');
  const config = objectAt(spec, 'sessionAffinityConfig');
  if (affinity === 'None' && config) errors.push(forbidden(field, 'must not be set when session affinity is None'));
  if (affinity !== 'ClientIP') return errors;
  const client = objectAt(config, 'clientIP');
  if (!config) errors.push(required(field, 'when session affinity type is ClientIP'));
  else if (!client) errors.push(required(field.child('clientIP'), 'when session affinity type is ClientIP'));
  else if (numberAt(client, 'timeoutSeconds') === undefined)
    errors.push(required(field.child('clientIP', 'timeoutSeconds'), 'when session affinity type is ClientIP'));
  else {
    const seconds = numberAt(client, 'timeoutSeconds') ?? 0;
    if (isInRange(seconds, 1, 86_400).length > 0)
      errors.push(
        invalid(field.child('clientIP', 'timeoutSeconds'), seconds, 'must be greater than 0 and less than 86400'),
      );
  }
  return errors;
}

function validateExternalIPs(spec: JsonObject, gates: Gates, old: KubeObject | undefined): FieldError[] {
  const before = new Set(stringsAt(old, 'spec', 'externalIPs'));
  return stringsAt(spec, 'externalIPs').flatMap((ip, index) => {
    const field = path('spec', 'externalIPs').index(index);
    const errors = validateLegacyAddress(ip, gates, field, before);
    return errors.length > 0 ? errors : validateEndpointAddress(ip, field);
  });
}

function validateNodePorts(spec: JsonObject): FieldError[] {
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  const seen = { node: new Set<string>(), port: new Set<string>() };
  if (stringAt(spec, 'type') === 'ClusterIP') {
    for (const [index, port] of ports.entries()) {
      if (numberAt(port, 'nodePort'))
        errors.push(forbidden(portsField.index(index).child('nodePort'), "may not be used when `type` is 'ClusterIP'"));
    }
  }
  for (const [index, port] of ports.entries()) {
    const node = numberAt(port, 'nodePort');
    const key = `${stringAt(port, 'protocol')}/${node}`;
    if (node && seen.node.has(key)) errors.push(duplicate(portsField.index(index).child('nodePort'), node));
    seen.node.add(key);
  }
  for (const [index, port] of ports.entries()) {
    const key = `${stringAt(port, 'protocol')}/${numberAt(port, 'port')}`;
    // The reference prints its internal type here, with only these two fields set.
    const printed = {
      Name: '',
      Protocol: stringAt(port, 'protocol'),
      AppProtocol: null,
      Port: numberAt(port, 'port') ?? 0,
      TargetPort: 0,
      NodePort: 0,
    };
    if (seen.port.has(key)) errors.push(duplicate(portsField.index(index), printed));
    seen.port.add(key);
  }
  return errors;
}
