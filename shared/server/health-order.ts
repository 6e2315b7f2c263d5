/**
 * The order in which the reference lists its checks (`/readyz?verbose` of v1.36.3). The checks of this product come
 * from several processes, in any order; names that the reference does not know come after those of storage.
 */
const names: readonly string[] = [
  'ping',
  'log',
  'loopback-serving-certificate',
  'etcd',
  'etcd-readiness',
  '',
  'informer-sync',
  ...[
    'start-apiserver-admission-initializer',
    'generic-apiserver-start-informers',
    'priority-and-fairness-config-consumer',
    'priority-and-fairness-filter',
    'storage-object-count-tracker-hook',
    'start-apiextensions-informers',
    'start-apiextensions-controllers',
    'crd-informer-synced',
    'start-system-namespaces-controller',
    'peer-endpoint-reconciler-controller',
    'start-cluster-authentication-info-controller',
    'start-kube-apiserver-identity-lease-controller',
    'start-kube-apiserver-identity-lease-garbage-collector',
    'storage-readiness',
    'start-legacy-token-tracking-controller',
    'start-service-ip-repair-controllers',
    'rbac/bootstrap-roles',
    'scheduling/bootstrap-system-priority-classes',
    'priority-and-fairness-config-producer',
    'bootstrap-controller',
    'start-kubernetes-service-cidr-controller',
    'aggregator-reload-proxy-client-cert',
    'start-kube-aggregator-informers',
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'apiservice-registration-controller',
    'apiservice-discovery-controller',
    'kube-apiserver-autoregistration',
  ].map((hook) => `poststarthook/${hook}`),
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
  'shutdown',
];

const ranks = new Map(names.map((name, rank) => [name, rank]));

/** The rank of a check in the lists. */
export function healthRank(name: string): number {
  // Checks of further etcds follow those of the first, in their own order.
  if (healthGroup(name) !== '') return (ranks.get('etcd-readiness') as number) + 0.5;
  return ranks.get(name) ?? (ranks.get('') as number);
}

/**
 * A second name by which a check can be excluded: checks of further etcds are excluded together with those of the first
 * (options/etcd.go).
 */
export function healthGroup(name: string): string {
  if (name.startsWith('etcd-override-readiness-')) return 'etcd-readiness';
  return name.startsWith('etcd-override-') ? 'etcd' : '';
}
