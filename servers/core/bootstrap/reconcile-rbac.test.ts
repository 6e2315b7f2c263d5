import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { reconcileBinding, reconcileRole } from './reconcile-rbac.ts';

const role = (content: JsonObject): KubeObject =>
  asKubeObject({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r' },
    ...content,
  });
const selector = (label: string): JsonObject => ({ matchLabels: { [label]: 'true' } });

test('a role gets the rules that none of its own covers, one verb each, and keeps those that nobody asked for', () => {
  const present = role({
    rules: [
      { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get'], apiGroups: ['mine'], resources: ['things'] },
    ],
  });
  assert.equal(
    reconcileRole(
      present,
      role({ rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'nodes'] }] }),
    ),
    true,
  );
  assert.deepEqual(present['rules'], [
    { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['get'], apiGroups: ['mine'], resources: ['things'] },
    { verbs: ['get'], apiGroups: [''], resources: ['nodes'] },
    { verbs: ['list'], apiGroups: [''], resources: ['nodes'] },
  ]);
});

test('rules that are split or wider already change nothing', () => {
  const present = role({
    rules: [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['list', 'watch'], apiGroups: ['*'], resources: ['*'] },
    ],
  });
  assert.equal(
    reconcileRole(present, role({ rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }] })),
    false,
  );
});

test('a role gets the selectors of its aggregation, and loses one that it should not have', () => {
  const present = role({ aggregationRule: { clusterRoleSelectors: [selector('mine')] } });
  assert.equal(reconcileRole(present, role({ aggregationRule: { clusterRoleSelectors: [selector('wanted')] } })), true);
  assert.deepEqual(present['aggregationRule'], { clusterRoleSelectors: [selector('mine'), selector('wanted')] });
  assert.equal(reconcileRole(present, role({})), true);
  assert.equal(present['aggregationRule'], undefined);
});

test('a binding to another role is made anew, one to other subjects gets those that are missing', () => {
  const binding = (name: string, ...subjects: string[]): KubeObject =>
    role({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: subjects.map((subject) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: subject })),
    });
  assert.equal(reconcileBinding(binding('other', 'a'), binding('view', 'a')), 'recreate');
  assert.equal(reconcileBinding(binding('view', 'b', 'a'), binding('view', 'a')), 'none');
  const present = binding('view', 'b');
  assert.equal(reconcileBinding(present, binding('view', 'a')), 'update');
  assert.deepEqual(present, binding('view', 'b', 'a'));
});
