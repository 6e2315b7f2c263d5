import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { NodeFakeCaches } from '#shared/authorization/testing/fake-caches.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { describeGrant, RbacPolicy } from './rbac-policy.ts';
import { SortedItems } from './sorted-items.ts';

const group = 'rbac.authorization.k8s.io';
const bob: UserInfo = { name: 'bob', uid: '', groups: [], extra: {} };

function binding(namespace: string, name: string, user: string, labels: Record<string, string> = {}): KubeObject {
  return asKubeObject({
    kind: 'RoleBinding',
    metadata: { name, namespace, labels },
    roleRef: { apiGroup: group, kind: 'Role', name: 'r' },
    subjects: [{ kind: 'User', name: user, apiGroup: group }],
  });
}

describe('RbacPolicy', () => {
  test("changes the generation of the binding's namespace only, and not for a changed label", async () => {
    const caches = new NodeFakeCaches();
    for (const namespace of ['a', 'b']) caches.put(group, 'rolebindings', binding(namespace, 'x', 'alice'));
    const policy = new RbacPolicy(caches);
    await policy.ready();
    const before = ['a', 'b', ''].map((namespace) => policy.generation(namespace));
    caches.put(group, 'rolebindings', binding('a', 'x', 'alice', { changed: 'yes' }));
    assert.deepEqual(
      ['a', 'b', ''].map((namespace) => policy.generation(namespace)),
      before,
    );
    assert.deepEqual(policy.grants(bob, 'a'), []);
    caches.put(group, 'rolebindings', binding('a', 'x', 'bob'));
    assert.notEqual(policy.generation('a'), before[0]);
    assert.deepEqual([policy.generation('b'), policy.generation('')], before.slice(1));
    assert.deepEqual(policy.grants(bob, 'a').map(describeGrant), ['RoleBinding "x/a" of Role "r" to User "bob"']);
    policy.close();
  });

  test('compiles a role when one of its users is authorized, and ignores changes before that', async () => {
    const caches = new NodeFakeCaches();
    let parsed = 0;
    const parse = caches.parse.bind(caches);
    caches.parse = (entry) => {
      if (entry.key.includes('/roles/')) parsed++;
      return parse(entry);
    };
    const rolesOf = (verb: string, resources: string[] = ['pods']): KubeObject =>
      asKubeObject({
        kind: 'Role',
        metadata: { name: 'r', namespace: 'a' },
        rules: [{ verbs: [verb], apiGroups: [''], resources }],
      });
    caches.put(group, 'roles', rolesOf('get'));
    caches.put(group, 'rolebindings', binding('a', 'x', 'bob'));
    const policy = new RbacPolicy(caches);
    await policy.ready();
    const verbs = (): readonly string[] =>
      policy.grants(bob, 'a').flatMap(({ rules }) => rules.flatMap((r) => r.verbs));
    let before = policy.generation('a');
    caches.put(group, 'roles', rolesOf('list'));
    assert.deepEqual([policy.generation('a'), parsed], [before, 0]);
    assert.deepEqual([verbs(), parsed], [['list'], 1]);
    caches.put(group, 'roles', rolesOf('list'));
    assert.equal(policy.generation('a'), before);
    caches.put(group, 'roles', rolesOf('watch'));
    assert.notEqual(policy.generation('a'), before);
    assert.deepEqual(verbs(), ['watch']);
    // A large one is not compared, which would take long.
    caches.put(group, 'roles', rolesOf('patch', Array<string>(10_000).fill('configmaps')));
    assert.deepEqual(verbs(), ['patch']);
    [before, parsed] = [policy.generation('a'), 0];
    caches.put(group, 'roles', rolesOf('patch', Array<string>(10_000).fill('configmaps')));
    assert.notEqual(policy.generation('a'), before);
    assert.equal(parsed, 0);
    policy.close();
  });
});

describe('SortedItems', () => {
  test('keeps items in the order of their names', () => {
    const items = new SortedItems<number>();
    for (const [at, name] of ['m', 'a', 'z', 'b', 'zz', ''].entries()) assert.equal(items.put(name, at), undefined);
    assert.deepEqual(items.items, [5, 1, 3, 0, 2, 4]);
    assert.equal(items.put('b', 30), 3);
    assert.deepEqual(
      [items.get('b'), items.get('c'), items.delete('c'), items.delete('a')],
      [30, undefined, undefined, 1],
    );
    assert.deepEqual(items.items, [5, 30, 0, 2, 4]);
  });
});
