import { isIP } from 'node:net';
import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

const modes = ['Proxy', 'VIP'];

/** Validates the ingress points of the load balancer (pkg/apis/core/validation ValidateLoadBalancerStatus). */
export function validateServiceStatus(service: KubeObject, gates: Gates, old: KubeObject): FieldError[] {
  const [ingress, field] = [
    objectsAt(service, 'status', 'loadBalancer', 'ingress'),
    path('status', 'loadBalancer', 'ingress'),
  ];
  if (ingress.length > 0 && stringAt(service, 'spec', 'type') !== 'LoadBalancer')
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  const known = new Set(objectsAt(old, 'status', 'loadBalancer', 'ingress').map((item) => stringAt(item, 'ip')));
  return ingress.flatMap((item, index) => [
    ...(stringAt(item, 'ip') === ''
      ? []
      : validateLegacyAddress(stringAt(item, 'ip'), gates, field.index(index).child('ip'), known)),
    ...validateMode(item, field.index(index).child('ipMode')),
    ...validateHostname(stringAt(item, 'hostname'), field.index(index).child('hostname')),
  ]);
}

function validateMode(item: JsonObject, field: Path): FieldError[] {
  const [mode, hasIp] = [item['ipMode'], stringAt(item, 'ip') !== ''];
  if (typeof mode !== 'string') return hasIp ? [required(field, 'must be specified when `ip` is set')] : [];
  if (!hasIp) return [forbidden(field, 'may not be specified when `ip` is not set')];
  return modes.includes(mode) ? [] : [notSupported(field, mode, modes)];
}

function validateHostname(name: string, field: Path): FieldError[] {
  if (name === '') return [];
  return [
    ...messages(isDNS1123Subdomain(name), field, name),
    ...(isIP(name) === 0 ? [] : [invalid(field, name, 'must be a DNS name, not an IP address')]),
  ];
}
