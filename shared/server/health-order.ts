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
    'start-encryption-provider-config-automatic-reload',
    'start-apiserver-admission-initializer',
    'generic-apiserver-start-informers',
    'priority-and-fairness-config-consumer',
    'priority-and-fairness-filter',

    'storage-object-count-tracker-hook',
    'start-apiextensions-informers',
    'start-apiextensions-controllers',
    'crd-informer-synced',
    'start-system-namespaces-controller',
    'start-kube-apiserver-coordinated-leader-election-controller',
    'peer-endpoint-reconciler-controller',
    'mixed-version-proxy-handler',
    'local-discovery-cache-sync',
    'peer-discovery-workers',
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

const firstOfAggregator = ranks.get('poststarthook/aggregator-reload-proxy-client-cert') as number;
const lastOfAggregator = ranks.get('poststarthook/apiservice-openapiv3-controller') as number;

/**
 * Whether `--livez-grace-period` covers a check: only those of the outermost of the reference's three servers, since it
 * takes over the checks of the others without their grace (apiserver/pkg/server/config.go, `completedConfig.New`).
 */
export function hasLivezGrace(name: string): boolean {
  const rank = ranks.get(name) ?? -1;
  return rank >= firstOfAggregator && rank <= lastOfAggregator;
}

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

/**
 * Whether a check is one of encryption at rest, which every process has. A server whose plugins are away serves all
 * that is not encrypted by them.
 */
export function isEncryptionCheck(name: string): boolean {
  return name.startsWith('kms-provider') || name.includes('encryption-provider-config');
}
