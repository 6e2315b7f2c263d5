import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyCidr } from '#servers/core/validation/ip-address.ts';
import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import { numberAt, objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName, isValidPortNumber } from '#shared/apimachinery/validation/names.ts';
import { isExternallyAccessible, needsHealthCheckPort } from './service-defaults.ts';

const specField = path('spec');
const sourceRangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const balancersOnly = "may only be used when `type` is 'LoadBalancer'";

/** Validates source ranges, node port allocation and class of load balancers. */
export function validateLoadBalancer(service: KubeObject, gates: Gates, old: KubeObject | undefined): FieldError[] {
  const spec = objectAt(service, 'spec') ?? {};
  const balanced = stringAt(spec, 'type') === 'LoadBalancer';
  const errors = validateSourceRanges(service, gates, old);
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && !balanced)
    errors.push(forbidden(specField.child('allocateLoadBalancerNodePorts'), balancersOnly));
  if (spec['allocateLoadBalancerNodePorts'] === undefined && balanced)
    errors.push(required(path('allocateLoadBalancerNodePorts'), ''));
  return [...errors, ...validateLoadBalancerClass(service, undefined)];
}

export function validateLoadBalancerClass(service: KubeObject, old: KubeObject | undefined): FieldError[] {
  const name = objectAt(service, 'spec')?.['loadBalancerClass'];
  const field = specField.child('loadBalancerClass');
  if (stringAt(service, 'spec', 'type') !== 'LoadBalancer')
    return name === undefined ? [] : [forbidden(field, balancersOnly)];
  const before = objectAt(old, 'spec')?.['loadBalancerClass'];
  const moved = old !== undefined && stringAt(old, 'spec', 'type') === 'LoadBalancer' && name !== before;
  const errors = moved
    ? [invalid(field, typeof name === 'string' ? textOfNamedType(name) : null, 'may not change once set')]
    : [];
  return typeof name === 'string' ? [...errors, ...messages(isQualifiedName(name), field, name)] : errors;
}

function validateSourceRanges(service: KubeObject, gates: Gates, old: KubeObject | undefined): FieldError[] {
  const balanced = stringAt(service, 'spec', 'type') === 'LoadBalancer';
  const ranges = stringsAt(service, 'spec', 'loadBalancerSourceRanges');
  if (ranges.length > 0) {
    // As in the reference, this path has a capital letter.
    const field = specField.child('LoadBalancerSourceRanges');
    const before = new Set(stringsAt(old, 'spec', 'loadBalancerSourceRanges').map((range) => range.trim()));
    const errors = ranges.flatMap((range, index) =>
      validateLegacyCidr(range.trim(), gates, field.index(index), before),
    );
    return balanced ? errors : [forbidden(field, balancersOnly), ...errors];
  }
  const text = service.metadata.annotations?.[sourceRangesAnnotation];
  if (text === undefined) return [];
  const field = path('metadata', 'annotations').key(sourceRangesAnnotation);
  const errors = balanced ? [] : [forbidden(field, balancersOnly)];
  if (text.trim() === '' || old?.metadata.annotations?.[sourceRangesAnnotation] === text) return errors;
  return [...errors, ...text.split(',').flatMap((range) => validateLegacyCidr(range.trim(), gates, field))];
}

/** Validates the external and internal traffic policies, and the health check port of the load balancer. */
export function validateTraffic(service: KubeObject, gates: Gates): FieldError[] {
  const spec = objectAt(service, 'spec') ?? {};
  return [
    ...validateExternalPolicy(service),
    ...validateHealthCheckPort(service),
    ...validateInternalPolicy(service),
    ...validateDistribution(spec['trafficDistribution'], gates),
  ];
}

function validateExternalPolicy(service: KubeObject): FieldError[] {
  const policy = stringAt(service, 'spec', 'externalTrafficPolicy');
  const field = specField.child('externalTrafficPolicy');
  if (isExternallyAccessible(service)) return oneOf(policy, ['Cluster', 'Local'], field);
  return policy === '' ? [] : [invalid(field, policy, 'may only be set for externally-accessible services')];
}

function validateHealthCheckPort(service: KubeObject): FieldError[] {
  const port = numberAt(service, 'spec', 'healthCheckNodePort') ?? 0;
  const field = specField.child('healthCheckNodePort');
  if (needsHealthCheckPort(service))
    return port === 0 ? [required(field, '')] : messages(isValidPortNumber(port), field, port);
  return port === 0
    ? []
    : [invalid(field, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")];
}

function validateInternalPolicy(service: KubeObject): FieldError[] {
  const policy = objectAt(service, 'spec')?.['internalTrafficPolicy'];
  const field = specField.child('internalTrafficPolicy');
  const needed = ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(stringAt(service, 'spec', 'type'));
  if (typeof policy !== 'string') return needed ? [required(field, '')] : [];
  return ['Cluster', 'Local'].includes(policy) ? [] : [notSupported(field, policy, ['Cluster', 'Local'])];
}

function validateDistribution(value: unknown, gates: Gates): FieldError[] {
  const known = gates.PreferSameTrafficDistribution
    ? ['PreferClose', 'PreferSameZone', 'PreferSameNode']
    : ['PreferClose'];
  return typeof value !== 'string' || known.includes(value)
    ? []
    : [notSupported(specField.child('trafficDistribution'), value, known)];
}
