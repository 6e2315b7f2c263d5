import {
  booleanAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  type KubeObject,
} from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';

/** Defaults that are not generated from `+default` markers (pkg/apis/core/v1/defaults.go, SetDefaults_Service). */
export function applyServiceDefaults(service: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  setDefaultText(spec, 'sessionAffinity', 'None');
  if (stringAt(spec, 'sessionAffinity') === 'None') delete spec['sessionAffinityConfig'];
  if (
    stringAt(spec, 'sessionAffinity') === 'ClientIP' &&
    numberAt(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds') === undefined
  ) {
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: 10_800 } };
  }
  setDefaultText(spec, 'type', 'ClusterIP');
  for (const port of objectsAt(spec, 'ports')) {
    setDefaultText(port, 'protocol', 'TCP');
    const target = port['targetPort'];
    if (target === undefined || target === null || target === 0 || target === '')
      port['targetPort'] = numberAt(port, 'port') ?? 0;
  }
  const type = stringAt(spec, 'type');
  if (isExternallyAccessible(service)) setDefaultText(spec, 'externalTrafficPolicy', 'Cluster');
  if (type !== 'ExternalName') setDefault(spec, 'internalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') {
    setDefault(spec, 'allocateLoadBalancerNodePorts', true);
    for (const ingress of objectsAt(objectAt(service, 'status', 'loadBalancer'), 'ingress')) {
      if (stringAt(ingress, 'ip') !== '') setDefault(ingress, 'ipMode', 'VIP');
    }
  }
}

/** Whether clients outside the cluster reach the Service: by node port, load balancer or external address. */
export function isExternallyAccessible(service: KubeObject): boolean {
  const type = stringAt(service, 'spec', 'type');
  const external = listAt(service, 'spec', 'externalIPs').length > 0;
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && external);
}

/** True for all types but ExternalName; the address may be `None`. */
export function needsClusterIP(service: KubeObject): boolean {
  return stringAt(service, 'spec', 'type') !== 'ExternalName';
}

/** Whether the server allocates node ports for the Service; otherwise only requested ones are used. */
export function allocatesNodePorts(service: KubeObject): boolean {
  const type = stringAt(service, 'spec', 'type');
  return (
    type === 'NodePort' ||
    (type === 'LoadBalancer' && booleanAt(service, 'spec', 'allocateLoadBalancerNodePorts') !== false)
  );
}

/** Whether the load balancer of the Service checks on each node whether it has an endpoint. */
export function needsHealthCheckPort(service: KubeObject): boolean {
  return (
    stringAt(service, 'spec', 'type') === 'LoadBalancer' &&
    stringAt(service, 'spec', 'externalTrafficPolicy') === 'Local'
  );
}
