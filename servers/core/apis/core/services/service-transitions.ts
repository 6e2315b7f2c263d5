import { sameMembers } from '../../../../../shared/api/same-by-type.ts';
import type { JsonObject } from '../../../../../shared/apimachinery/json.ts';
import {
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  type KubeObject,
} from '../../../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../../../shared/apimachinery/set-default.ts';
import {
  allocatesNodePorts,
  isExternallyAccessible,
  needsClusterIP,
  needsHealthCheckPort,
} from './service-defaults.ts';

// What a write that sets only some fields of a Service means for the values that the server allocated to it
// (pkg/registry/core/service: strategy.go, storage/storage.go).

/** Keeps `clusterIP` and the first of `clusterIPs` together when a client that knows one of the two writes. */
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

/** What a client that does not know its allocated values leaves out stays as it was. */
export function keepAllocated(service: KubeObject, old: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  if (needsClusterIP(old) && needsClusterIP(service)) {
    if (stringAt(spec, 'clusterIP') === '' && stringAt(old, 'spec', 'clusterIP') !== '')
      spec['clusterIP'] = stringAt(old, 'spec', 'clusterIP');
    const ips = stringsAt(old, 'spec', 'clusterIPs');
    if (stringsAt(spec, 'clusterIPs').length === 0 && ips.length > 0) spec['clusterIPs'] = [...ips];
  }
  // A load balancer that has none any more gives back those that are not named.
  if (allocatesNodePorts(old) && allocatesNodePorts(service)) keepNodePorts(service, old);
  const check = numberAt(old, 'spec', 'healthCheckNodePort');
  if (needsHealthCheckPort(old) && needsHealthCheckPort(service) && check && !numberAt(spec, 'healthCheckNodePort'))
    spec['healthCheckNodePort'] = check;
}

/** A port keeps its node port by name; what else of it changed does not matter. */
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

/** Fields that a change of type makes meaningless are dropped when the client left them alone. */
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
  if (stringAt(spec, 'type') !== 'LoadBalancer') ensureObject(service, 'status')['loadBalancer'] = {};
}

/** Ports may be added, removed and changed, as long as no node port is new. */
function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  const held = new Set(objectsAt(before, 'ports').map((port) => numberAt(port, 'nodePort')));
  const ports = objectsAt(spec, 'ports');
  if (ports.every((port) => !numberAt(port, 'nodePort') || held.has(numberAt(port, 'nodePort'))))
    for (const port of ports) delete port['nodePort'];
}

/** Types whose ports have node ports, given or allocated. */
export function hasNodePorts(service: KubeObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(stringAt(objectAt(service, 'spec'), 'type'));
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
