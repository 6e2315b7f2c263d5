import { forbidden, invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../shared/apimachinery/set-default.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';

export type IPFamily = 'IPv4' | 'IPv6';

export function familyOf(ip: string): IPFamily {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}

/**
 * Keeps `clusterIP` and the first of `clusterIPs` together when a client that knows one of the two writes
 * (pkg/registry/core/service/storage, NormalizeClusterIPs).
 */
export function normalizeClusterIPs(service: KubeObject, old: KubeObject | undefined): void {
  const spec = ensureObject(service, 'spec');
  const ip = stringAt(spec, 'clusterIP');
  const ips = stringsAt(spec, 'clusterIPs');
  if (old === undefined) {
    if (ip !== '' && ips.length === 0) spec['clusterIPs'] = [ip];
    return;
  }
  const oldIp = stringAt(old, 'spec', 'clusterIP');
  const oldIps = stringsAt(old, 'spec', 'clusterIPs');
  const sameList = ips.length === oldIps.length && ips.every((item, index) => item === oldIps[index]);
  if (ip === '' && oldIp !== '' && sameList) delete spec['clusterIPs'];
  else if (ip !== oldIp && oldIp === '' && ips.length === 0) spec['clusterIPs'] = [ip];
  else if (ip !== oldIp && oldIp !== '' && sameList) spec['clusterIPs'] = ip === '' ? [] : [ip, ...ips.slice(1)];
}

/** Fields that a change of type makes meaningless are dropped when the client left them alone (dropTypeDependentFields). */
export function dropTypeDependentFields(service: KubeObject, old: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  const before = objectAt(old, 'spec') ?? {};
  const same = (key: string) => JSON.stringify(spec[key]) === JSON.stringify(before[key]);
  const type = stringAt(spec, 'type');
  const had = stringAt(before, 'type');
  if (had !== 'ExternalName' && type === 'ExternalName') {
    if (same('clusterIP') && same('clusterIPs')) for (const key of ['clusterIP', 'clusterIPs']) delete spec[key];
    for (const key of ['ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) if (same(key)) delete spec[key];
  }
  if (keepsNodePorts(had) && !keepsNodePorts(type)) dropNodePorts(spec, before);
  if (had === 'ExternalName' && type !== 'ExternalName' && same('externalName')) delete spec['externalName'];
  const external = (kind: string) => kind === 'NodePort' || kind === 'LoadBalancer';
  if (external(had) && !external(type) && same('externalTrafficPolicy') && !Array.isArray(spec['externalIPs'])) delete spec['externalTrafficPolicy'];
  const healthChecked = (s: JsonObject) => stringAt(s, 'type') === 'LoadBalancer' && stringAt(s, 'externalTrafficPolicy') === 'Local';
  if (healthChecked(before) && !healthChecked(spec) && same('healthCheckNodePort')) delete spec['healthCheckNodePort'];
  if (had === 'LoadBalancer' && type !== 'LoadBalancer') {
    for (const key of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) if (same(key)) delete spec[key];
  }
}

function keepsNodePorts(type: string): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  const ports = spec['ports'];
  if (!Array.isArray(ports) || !Array.isArray(before['ports'])) return;
  const held = new Set(before['ports'].map((port) => objectAt(port)?.['nodePort']));
  for (const port of ports) {
    const body = objectAt(port);
    if (body && held.has(body['nodePort'])) delete body['nodePort'];
  }
}

/**
 * Fills `ipFamilies` and `ipFamilyPolicy` (KEP-563): the families of the given addresses, else those of the cluster.
 * `families` are the cluster's, the primary first. Returns what does not fit.
 */
export function assignFamilies(service: KubeObject, families: readonly IPFamily[]): FieldError[] {
  const spec = ensureObject(service, 'spec');
  if (stringAt(spec, 'type') === 'ExternalName') return [];
  const ips = stringsAt(spec, 'clusterIPs');
  const headless = ips[0] === 'None';
  const given = headless ? [] : ips.map(familyOf);
  const chosen = [...(stringsAt(spec, 'ipFamilies') as IPFamily[])];
  for (const [index, family] of given.entries()) chosen[index] ??= family;
  const errors = validateFamilies(chosen, families, headless, ips, objectAt(spec, 'selector') !== undefined);
  if (errors.length > 0) return errors;
  let policy = stringAt(spec, 'ipFamilyPolicy');
  if (policy === '' && headless && !hasSelector(spec)) {
    policy = chosen.length === 1 ? 'SingleStack' : 'RequireDualStack';
    if (chosen.length === 0) chosen.push(families[0] ?? 'IPv4', families[0] === 'IPv6' ? 'IPv4' : 'IPv6');
  }
  if (policy === '') policy = chosen.length === 2 || ips.length === 2 ? 'RequireDualStack' : 'SingleStack';
  if (chosen.length === 0) chosen.push(families[0] ?? 'IPv4');
  const freeOfStacks = headless && !hasSelector(spec);
  if (policy === 'RequireDualStack' && families.length < 2 && !freeOfStacks) {
    return [invalid(path('spec', 'ipFamilyPolicy'), policy, 'this cluster is not configured for dual-stack services')];
  }
  if (policy !== 'SingleStack' && chosen.length === 1 && (families.length === 2 || freeOfStacks)) chosen.push(chosen[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  spec['ipFamilyPolicy'] = policy;
  spec['ipFamilies'] = chosen;
  return [];
}

function hasSelector(spec: JsonObject): boolean {
  return Object.keys(objectAt(spec, 'selector') ?? {}).length > 0;
}

function validateFamilies(chosen: readonly IPFamily[], families: readonly IPFamily[], headless: boolean, ips: readonly string[], selects: boolean): FieldError[] {
  if (headless && !selects) return [];
  for (const [index, family] of chosen.entries()) {
    if (families.includes(family)) continue;
    const byAddress = ips[index] !== undefined && !headless;
    const field = byAddress ? path('spec', 'clusterIPs').index(index) : path('spec', 'ipFamilies').index(index);
    return [invalid(field, byAddress ? [...ips] : family, `${byAddress ? family : 'not'} ${byAddress ? 'is not configured on this cluster' : 'configured on this cluster'}`)];
  }
  return chosen.length === 2 && chosen[0] === chosen[1] ? [forbidden(path('spec', 'ipFamilies').index(1), 'duplicate family')] : [];
}
