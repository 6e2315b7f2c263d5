import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsAt, stringAt, stringsAt } from '../apimachinery/object.ts';
import { bootstrapRbac } from './bootstrap-objects.ts';
import { withGatedRoles } from './gated-roles.ts';

test('features that are off bring no roles', () => {
  assert.deepEqual(withGatedRoles(bootstrapRbac(), { isEnabled: () => false }), bootstrapRbac());
});

test('a feature brings what its controllers and nodes need', () => {
  const before = bootstrapRbac();
  const { clusterRoles, clusterRoleBindings } = withGatedRoles(before, { isEnabled: (gate) => gate !== 'StorageVersionAPI' });
  const added = clusterRoles.slice(before.clusterRoles.length).map((role) => stringAt(role, 'metadata', 'name'));
  assert.deepEqual(added, [
    'system:cluster-trust-bundle-discovery', 'system:controller:podcertificaterequestcleaner', 'system:controller:kube-apiserver-serving-clustertrustbundle-publisher', 'system:controller:storage-version-migrator-controller',
  ]);
  assert.deepEqual(clusterRoleBindings.slice(before.clusterRoleBindings.length).map((binding) => stringAt(binding, 'roleRef', 'name')), added);
  const node = clusterRoles.find((role) => stringAt(role, 'metadata', 'name') === 'system:node');
  assert.deepEqual(objectsAt(node, 'rules').slice(-3).map((rule) => stringsAt(rule, 'resources')), [['clustertrustbundles'], ['serviceaccounts'], ['podcertificaterequests']]);
});
