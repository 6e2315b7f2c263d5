import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

describe('RBAC reconciliation', () => {
  test('adds missing rules to a role one verb each and keeps additional rules', () => {
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

  test('leaves a role unchanged when split or wider rules cover the expected ones', () => {
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

  test('adds missing aggregation selectors and removes an aggregation rule that is not expected', () => {
    const present = role({ aggregationRule: { clusterRoleSelectors: [selector('mine')] } });
    assert.equal(
      reconcileRole(present, role({ aggregationRule: { clusterRoleSelectors: [selector('wanted')] } })),
      true,
    );
    assert.deepEqual(present['aggregationRule'], { clusterRoleSelectors: [selector('mine'), selector('wanted')] });
    assert.equal(reconcileRole(present, role({})), true);
    assert.equal(present['aggregationRule'], undefined);
  });

  test('recreates a binding to another role and adds missing subjects to a binding', () => {
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
});
