import type { JsonObject } from '../apimachinery/json.ts';
import { objectsAt, stringAt, stringsAt } from '../apimachinery/object.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { BootstrapFiles } from './gen-format.ts';

type Rbac = BootstrapFiles['rbac'];

const certificates = 'certificates.k8s.io';
const read = ['get', 'list', 'watch'];
const metadata = (name: string): JsonObject => ({ annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' }, name });
const rule = (apiGroup: string, resource: string, verbs: string[], resourceNames?: string[]): JsonObject => ({ apiGroups: [apiGroup], ...(resourceNames && { resourceNames }), resources: [resource], verbs });
const eventRule: JsonObject = { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] };

/** The bootstrap roles and bindings, with those of features that are off by default (plugin/pkg/auth/authorizer/rbac/bootstrappolicy). */
export function withGatedRoles(rbac: Rbac, gates: FeatureGates): Rbac {
  const controllers = Object.entries(controllerRules(gates));
  const discovery = gates.isEnabled('ClusterTrustBundle') ? ['system:cluster-trust-bundle-discovery'] : [];
  return {
    ...rbac,
    clusterRoles: [
      ...rbac.clusterRoles.map((role) => (stringAt(role, 'metadata', 'name') === 'system:node' ? { ...role, rules: nodeRules(objectsAt(role, 'rules'), gates) } : role)),
      ...discovery.map((name) => ({ metadata: metadata(name), rules: [rule(certificates, 'clustertrustbundles', read)] })),
      ...controllers.map(([name, rules]) => ({ metadata: metadata(`system:controller:${name}`), rules: [...rules] })),
    ],
    clusterRoleBindings: [
      ...rbac.clusterRoleBindings,
      ...discovery.map((name) => binding(name, { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:serviceaccounts' })),
      ...controllers.map(([name]) => binding(`system:controller:${name}`, { kind: 'ServiceAccount', name, namespace: 'kube-system' })),
    ],
  };
}

function binding(name: string, subject: JsonObject): JsonObject {
  return { metadata: metadata(name), roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }, subjects: [subject] };
}

/** By the names of the controllers. */
function controllerRules(gates: FeatureGates): Readonly<Record<string, readonly JsonObject[]>> {
  return {
    ...(gates.isEnabled('PodCertificateRequest') && { podcertificaterequestcleaner: [rule(certificates, 'podcertificaterequests', ['delete', ...read])] }),
    ...(gates.isEnabled('ClusterTrustBundle') && {
      'kube-apiserver-serving-clustertrustbundle-publisher': [
        rule(certificates, 'signers', ['attest'], ['kubernetes.io/kube-apiserver-serving']), rule(certificates, 'clustertrustbundles', ['create', 'delete', 'list', 'update', 'watch']), eventRule,
      ],
    }),
    ...(gates.isEnabled('StorageVersionAPI') && gates.isEnabled('APIServerIdentity') && {
      'storage-version-garbage-collector': [
        rule('coordination.k8s.io', 'leases', read), rule('internal.apiserver.k8s.io', 'storageversions', ['delete', 'get', 'list', 'patch', 'update', 'watch']), rule('internal.apiserver.k8s.io', 'storageversions/status', ['get', 'patch', 'update']),
      ],
    }),
    ...(gates.isEnabled('StorageVersionMigrator') && {
      'storage-version-migrator-controller': [
        rule('*', '*', ['create', 'list', 'patch']), rule('apiextensions.k8s.io', 'customresourcedefinitions', ['get']), rule('apiextensions.k8s.io', 'customresourcedefinitions/status', ['patch']),
        rule('storagemigration.k8s.io', 'storageversionmigrations/status', ['update']),
      ],
    }),
  };
}

/** In the reference's order. */
function nodeRules(rules: readonly JsonObject[], gates: FeatureGates): JsonObject[] {
  const accounts = rules.findIndex((one) => stringsAt(one, 'resources').join() === 'serviceaccounts');
  return [
    ...rules.slice(0, accounts),
    ...(gates.isEnabled('ClusterTrustBundle') ? [rule(certificates, 'clustertrustbundles', read)] : []),
    ...rules.slice(accounts),
    ...(gates.isEnabled('PodCertificateRequest') ? [rule(certificates, 'podcertificaterequests', ['create', ...read])] : []),
  ];
}
