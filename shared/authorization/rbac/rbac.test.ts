import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { requireAllowed } from '#shared/authorization/forbidden.ts';
import { selfSubjectRulesReview, subjectAccessReview } from '#shared/authorization/reviews/access-reviews.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { account, ask, binding, bob, context, group, message, role, start, user } from './testing/rbac-of-objects.ts';

describe('RBAC authorizer', () => {
  test('allows by verb, resource, name and subresource, with the binding as the reason', async () => {
    const { system } = start();
    const { authorizer } = system;
    assert.deepEqual(await authorizer.authorize(ask({})), {
      decision: 'allow',
      reason: 'RBAC: allowed by RoleBinding "bob/c11" of Role "reader" to User "bob"',
    });
    assert.equal(
      (await authorizer.authorize(ask({ user: account }))).reason,
      'RBAC: allowed by RoleBinding "bob/c11" of Role "reader" to ServiceAccount "default/c11"',
    );
    const decisions = [
      ask({ verb: 'delete' }),
      ask({ namespace: 'other' }),
      ask({ namespace: '' }),
      ask({ resource: 'secrets' }),
      ask({ resource: 'secrets', name: 'only' }),
      ask({ resource: 'secrets', name: 'other' }),
      ask({ resource: 'pods', subresource: 'scale' }),
      ask({ resource: 'configmaps', subresource: 'status' }),
      ask({ apiGroup: 'apps' }),
      ask({ resourceRequest: false, path: '/healthz' }),
      ask({ resourceRequest: false, path: '/api/v1' }),
      ask({ resourceRequest: false, path: '/api' }),
    ].map(async (attributes) => (await authorizer.authorize(attributes)).decision === 'allow');
    assert.deepEqual(await Promise.all(decisions), [
      false,
      false,
      false,
      false,
      true,
      false,
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('follows changed roles and bindings at once', async () => {
    const { caches, system } = start();
    assert.equal((await system.authorizer.authorize(ask({ verb: 'delete' }))).decision, 'noOpinion');
    caches.put(group, 'roles', role('Role', 'c11', 'reader', { apiGroups: [''], resources: ['*'], verbs: ['*'] }));
    assert.equal((await system.authorizer.authorize(ask({ verb: 'delete' }))).decision, 'allow');
    caches.remove(group, 'rolebindings', 'c11', 'bob');
    assert.equal((await system.authorizer.authorize(ask({}))).decision, 'noOpinion');
  });

  test('names the missing role of a binding in its 403', async () => {
    const { caches, system } = start();
    caches.put(
      group,
      'clusterrolebindings',
      binding('ClusterRoleBinding', '', 'lost', 'ClusterRole/gone', user('bob')),
    );
    assert.equal(
      await message(requireAllowed(system.authorizer, ask({ resource: 'pods', verb: 'list' }))),
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "c11": RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    );
  });

  test('allows system:masters everything, without a reason', async () => {
    const { system } = start();
    assert.deepEqual(
      await system.authorizer.authorize(ask({ user: { ...bob, groups: ['system:masters'] }, resource: 'x' })),
      { decision: 'allow', reason: '' },
    );
  });
});

describe('RBAC escalation check', () => {
  test('refuses a role or binding that grants more than the user holds', async () => {
    const { guard } = start().system;
    assert.ok(guard);
    const wanted = role('Role', 'c11', 'same', {
      apiGroups: [''],
      resources: ['configmaps', 'secrets'],
      verbs: ['get', 'delete'],
    });
    assert.equal(
      await message(guard.guardRole(wanted, undefined, context())),
      'roles.rbac.authorization.k8s.io "same" is forbidden: user "bob" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
    );
    assert.equal(
      await message(
        guard.guardRole(
          role('Role', 'c11', 'less', { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }),
          undefined,
          context(),
        ),
      ),
      '',
    );
    assert.equal(
      await message(
        guard.guardBinding(binding('RoleBinding', 'c11', 'b', 'Role/reader', user('x')), undefined, context()),
      ),
      '',
    );
    assert.equal(
      await message(guard.guardBinding(binding('RoleBinding', 'c11', 'b', 'Role/missing'), undefined, context())),
      'rolebindings.rbac.authorization.k8s.io "missing" not found',
    );
  });

  test('allows more to users with the verbs escalate and bind', async () => {
    const { caches, system } = start();
    caches.put(
      group,
      'roles',
      role('Role', 'c11', 'reader', { apiGroups: [group], resources: ['roles'], verbs: ['escalate', 'bind'] }),
    );
    caches.put(group, 'roles', role('Role', 'c11', 'all', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }));
    assert.equal(
      await message(
        system.guard?.guardRole(
          role('Role', 'c11', 'x', { apiGroups: [''], resources: ['pods'], verbs: ['*'] }),
          undefined,
          context(),
        ) ?? Promise.resolve(),
      ),
      '',
    );
    assert.equal(
      await message(
        system.guard?.guardBinding(binding('RoleBinding', 'c11', 'b', 'Role/all'), undefined, context()) ??
          Promise.resolve(),
      ),
      '',
    );
  });

  test('applies the right to bind only to references of kind Role in the RBAC group', async () => {
    const { caches, system } = start();
    caches.put(
      group,
      'roles',
      role('Role', 'c11', 'reader', { apiGroups: [group], resources: ['roles'], verbs: ['bind'] }),
    );
    caches.put(group, 'roles', role('Role', 'c11', 'all', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }));
    const bound = (reference: string, apiGroup: string): Promise<string> => {
      const object = binding('RoleBinding', 'c11', 'b', reference);
      return message(
        system.guard?.guardBinding(
          { ...object, roleRef: { ...(object['roleRef'] as JsonObject), apiGroup } },
          undefined,
          context(),
        ) ?? Promise.resolve(),
      );
    };
    assert.equal(await bound('Role/all', group), '');
    assert.match(
      await bound('Role/all', 'other.example.com'),
      /is attempting to grant RBAC permissions not currently held/,
    );
    assert.equal(await bound('role/all', group), 'unsupported role reference kind: "role"');
  });
});

describe('access reviews', () => {
  test('answer for other users, and refuse contradictory specs', async () => {
    const { authorizer, resolver } = start().system;
    const review = (spec: JsonObject): Promise<KubeObject> =>
      subjectAccessReview(authorizer)(asKubeObject({ kind: 'SubjectAccessReview', metadata: {}, spec }), context());
    assert.deepEqual(
      (await review({ user: 'bob', resourceAttributes: { namespace: 'c11', verb: 'list', resource: 'configmaps' } }))[
        'status'
      ],
      { allowed: true, reason: 'RBAC: allowed by RoleBinding "bob/c11" of Role "reader" to User "bob"' },
    );
    assert.equal(
      await message(review({ resourceAttributes: {} })),
      '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    );
    assert.equal(
      await message(review({ user: 'x', resourceAttributes: { verb: 'x' }, nonResourceAttributes: { path: '/' } })),
      '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":""}: cannot be specified in combination with resourceAttributes',
    );
    const rules = await selfSubjectRulesReview(resolver)(
      asKubeObject({ metadata: {}, spec: { namespace: 'c11' } }),
      context(),
    );
    assert.deepEqual(rules['status'], {
      resourceRules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', '*/scale'] },
        { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['only'] },
      ],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*'] }],
      incomplete: false,
    });
  });
});

describe('RBAC and node authorizer', () => {
  test('allow a node to read what its pods use', async () => {
    const { caches, system } = start();
    caches.put(
      '',
      'pods',
      asKubeObject({
        metadata: { name: 'p', namespace: 'c11' },
        spec: { nodeName: 'n1', volumes: [{ name: 'v', secret: { secretName: 's' } }] },
      }),
    );
    const node: UserInfo = { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
    assert.equal(
      (await system.authorizer.authorize(ask({ user: node, resource: 'secrets', name: 's' }))).decision,
      'allow',
    );
    assert.deepEqual(await system.authorizer.authorize(ask({ user: node, resource: 'secrets', name: 't' })), {
      decision: 'noOpinion',
      reason: "no relationship found between node 'n1' and this object",
    });
  });
});
