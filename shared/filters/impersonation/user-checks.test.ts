import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { checkWantedUser, type UserCheck } from './user-checks.ts';

const requestor: UserInfo = { name: 'bob', uid: '', groups: [], extra: {} };
const plain: UserCheck = { verb: 'impersonate', constrained: false };
const constrained: UserCheck = { verb: 'impersonate:user-info', constrained: true };

/** What was asked of the authorizer, which allows all but `denied`. */
async function check(
  how: UserCheck,
  wanted: Partial<UserInfo>,
  denied = '',
): Promise<{ readonly asked: string[]; readonly groups: readonly string[] | undefined; readonly refusal: string }> {
  const asked: string[] = [];
  const authorizer = {
    authorize: ({ apiGroup, resource, subresource, namespace, name }: AuthorizerAttributes) => {
      const question = `${resource}${apiGroup === '' ? '' : `.${apiGroup}`}/${subresource === '' ? '' : `${subresource}/`}${namespace === '' ? '' : `${namespace}/`}${name}`;
      asked.push(question);
      return { decision: question === denied ? 'noOpinion' : 'allow', reason: '' } as const;
    },
  };
  try {
    const user = await checkWantedUser(authorizer, how, requestor, {
      name: 'alice',
      uid: '',
      groups: [],
      extra: {},
      ...wanted,
    });
    return { asked, groups: user.groups, refusal: '' };
  } catch (error) {
    return { asked, groups: undefined, refusal: (error as StatusError).status.message ?? '' };
  }
}

describe('checkWantedUser', () => {
  test('authorizes the name, uid, each group and each extra value of the impersonated user', async () => {
    const { asked, groups } = await check(plain, { uid: 'u', groups: ['dev'], extra: { scopes: ['a', 'b'] } });
    assert.deepEqual(asked, [
      'users/alice',
      'uids.authentication.k8s.io/u',
      'groups/dev',
      'userextras.authentication.k8s.io/scopes/a',
      'userextras.authentication.k8s.io/scopes/b',
    ]);
    assert.deepEqual(groups, ['dev', 'system:authenticated']);
  });

  test('authorizes a service account by namespace and name, and gives it its groups', async () => {
    const { asked, groups } = await check(plain, { name: 'system:serviceaccount:ns:a' });
    assert.deepEqual(asked, ['serviceaccounts/ns/a']);
    assert.deepEqual(groups, ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated']);
  });

  test('gives system:anonymous the group system:unauthenticated', async () => {
    assert.deepEqual((await check(plain, { name: 'system:anonymous' })).groups, ['system:unauthenticated']);
  });

  test('throws 403 that names the first attribute without permission', async () => {
    const { refusal } = await check(plain, { groups: ['dev', 'ops'] }, 'groups/ops');
    assert.equal(
      refusal,
      'groups "ops" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
  });
});

describe('checkWantedUser under constrained impersonation', () => {
  test('refuses the empty group and system:masters', async () => {
    assert.match(
      (await check(constrained, { groups: [''] })).refusal,
      /impersonating the empty string group is not allowed/,
    );
    assert.match(
      (await check(constrained, { groups: ['system:masters'] })).refusal,
      /impersonating the system:masters group is not allowed/,
    );
  });

  test('authorizes four or more groups by a wildcard first, then each by itself', async () => {
    const groups = ['a', 'b', 'c', 'd'];
    assert.deepEqual((await check(constrained, { groups })).asked, [
      'users.authentication.k8s.io/alice',
      'groups.authentication.k8s.io/*',
    ]);
    const denied = await check(constrained, { groups }, 'groups.authentication.k8s.io/*');
    assert.deepEqual(
      denied.asked.slice(2),
      groups.map((name) => `groups.authentication.k8s.io/${name}`),
    );
  });

  test('refuses extra keys that are no lower-case domain paths, and empty extra values', async () => {
    for (const extra of [{ '': ['x'] }, { plain: ['x'] }, { 'A.io/b': ['x'] }, { 'a.io/b': [] }, { 'a.io/b': [''] }])
      assert.match((await check(constrained, { extra })).refusal, /in extra is not allowed/, JSON.stringify(extra));
    assert.equal((await check(constrained, { extra: { 'a.io/b': ['x'] } })).refusal, '');
  });
});
