import { sameMembers } from '#shared/api/same-by-type.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import {
  allocatesNodePorts,
  isExternallyAccessible,
  needsClusterIP,
  needsHealthCheckPort,
} from './service-defaults.ts';

// Keeps or drops the values that the server allocated to a Service when a write does not set them
// (pkg/registry/core/service: strategy.go, storage/storage.go).

/** Keeps `clusterIP` and the first of `clusterIPs` equal when a client writes only one of the two. */
export function normalizeClusterIPs(service: KubeObject, old: KubeObject | undefined): void {
  const spec = ensureObject(service, 'spec');
  const ip = stringAt(spec, 'clusterIP');
  if (old === undefined) {
    if (ip !== '' && stringsAt(spec, 'clusterIPs').length === 0) spec['clusterIPs'] = [ip];
    return;
  }
  const oldIp = stringAt(old, 'spec', 'clusterIP');
  const oldIps = stringsAt(old, 'spec', 'clusterIPs');
  if (oldIps.length > 0 && stringsAt(spec, 'clusterIPs').length === 0 && ip === oldIp) spec['clusterIPs'] = [...oldIps];
  if (ip === oldIp || !sameStrings(stringsAt(spec, 'clusterIPs'), oldIps)) return;
  if (ip === '') delete spec['clusterIPs'];
  else spec['clusterIPs'] = [ip];
}

/** Restores allocated values that the client left out. */
export function keepAllocated(service: KubeObject, old: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  if (needsClusterIP(old) && needsClusterIP(service)) {
    if (stringAt(spec, 'clusterIP') === '' && stringAt(old, 'spec', 'clusterIP') !== '')
      spec['clusterIP'] = stringAt(old, 'spec', 'clusterIP');
    const ips = stringsAt(old, 'spec', 'clusterIPs');
    if (stringsAt(spec, 'clusterIPs').length === 0 && ips.length > 0) spec['clusterIPs'] = [...ips];
  }
  // With `allocateLoadBalancerNodePorts` set to false, a load balancer keeps only node ports that the write names.
  if (allocatesNodePorts(old) && allocatesNodePorts(service)) keepNodePorts(service, old);
  const check = numberAt(old, 'spec', 'healthCheckNodePort');
  if (needsHealthCheckPort(old) && needsHealthCheckPort(service) && check && !numberAt(spec, 'healthCheckNodePort'))
    spec['healthCheckNodePort'] = check;
}

/** Restores the node port of each port that has the same name as an old one, whatever else changed. */
function keepNodePorts(service: KubeObject, old: KubeObject): void {
  const asked = new Set(objectsAt(service, 'spec', 'ports').map((port) => numberAt(port, 'nodePort')));
  const byName = new Map(
    objectsAt(old, 'spec', 'ports').map((port) => [stringAt(port, 'name'), numberAt(port, 'nodePort')]),
  );
  for (const port of objectsAt(service, 'spec', 'ports')) {
    const held = byName.get(stringAt(port, 'name'));
    if (!numberAt(port, 'nodePort') && held && !asked.has(held)) port['nodePort'] = held;
  }
}

/** Drops fields that the new type does not use, unless the client changed them. */
export function dropTypeDependentFields(service: KubeObject, old: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  const before = ensureObject(old, 'spec');
  const same = (key: string) => sameMembers('io.k8s.api.core.v1.ServiceSpec', [key], spec, before);
  const dropIfSame = (...keys: string[]) => {
    for (const key of keys) if (same(key)) delete spec[key];
  };
  if (needsClusterIP(old) && !needsClusterIP(service)) {
    if (same('clusterIP') && same('clusterIPs')) dropIfSame('clusterIP', 'clusterIPs');
    dropIfSame('ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  }
  if (hasNodePorts(old) && !hasNodePorts(service)) dropNodePorts(spec, before);
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(service)) dropIfSame('healthCheckNodePort');
  if (stringAt(before, 'type') === 'LoadBalancer' && stringAt(spec, 'type') !== 'LoadBalancer')
    dropIfSame('allocateLoadBalancerNodePorts', 'loadBalancerClass');
  if (isExternallyAccessible(old) && !isExternallyAccessible(service)) dropIfSame('externalTrafficPolicy');
  // The status is that of the old object, which admission still sees.
  if (stringAt(spec, 'type') !== 'LoadBalancer')
    service['status'] = { ...objectAt(service, 'status'), loadBalancer: {} };
}

/** Drops the node ports, unless the write requests a new one. */
function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  const held = new Set(objectsAt(before, 'ports').map((port) => numberAt(port, 'nodePort')));
  const ports = objectsAt(spec, 'ports');
  if (ports.every((port) => !numberAt(port, 'nodePort') || held.has(numberAt(port, 'nodePort'))))
    for (const port of ports) delete port['nodePort'];
}

/** Whether the Service's type has node ports, requested or allocated. */
export function hasNodePorts(service: KubeObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(stringAt(objectAt(service, 'spec'), 'type'));
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
