import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapRbac } from '../../../shared/api/bootstrap-objects.ts';
import { objectsAt, stringAt, stringsAt } from '../../../shared/apimachinery/object.ts';
import { gates } from '../gates/gates.ts';
import { withGatedRoles } from './gated-roles.ts';

test('features that are off bring no roles', () => {
  assert.deepEqual(withGatedRoles(bootstrapRbac(), gates), bootstrapRbac());
});

test('a feature brings what its controllers and nodes need', () => {
  const before = bootstrapRbac();
  const { clusterRoles, clusterRoleBindings } = withGatedRoles(before, { ...gates, ClusterTrustBundle: true, PodCertificateRequest: true, StorageVersionMigrator: true });
  const added = clusterRoles.slice(before.clusterRoles.length).map((role) => stringAt(role, 'metadata', 'name'));
  assert.deepEqual(added, [
    'system:cluster-trust-bundle-discovery', 'system:controller:podcertificaterequestcleaner', 'system:controller:kube-apiserver-serving-clustertrustbundle-publisher', 'system:controller:storage-version-migrator-controller',
  ]);
  assert.deepEqual(clusterRoleBindings.slice(before.clusterRoleBindings.length).map((binding) => stringAt(binding, 'roleRef', 'name')), added);
  const node = clusterRoles.find((role) => stringAt(role, 'metadata', 'name') === 'system:node');
  assert.deepEqual(objectsAt(node, 'rules').slice(-3).map((rule) => stringsAt(rule, 'resources')), [['clustertrustbundles'], ['serviceaccounts'], ['podcertificaterequests']]);
});
