import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodeOfUser, serviceAccountGroups, splitServiceAccount } from './account-names.ts';

describe('splitServiceAccount', () => {
  test("returns namespace and name of a service account's user name", () => {
    assert.deepEqual(splitServiceAccount('system:serviceaccount:ns:a.b'), { namespace: 'ns', name: 'a.b' });
    assert.deepEqual(serviceAccountGroups('ns'), ['system:serviceaccounts', 'system:serviceaccounts:ns']);
  });

  test('returns undefined for user names with a part too few, too many or malformed', () => {
    for (const part of ['ns', 'ns:', ':a', 'ns:a:b', 'NS:a', 'n.s:a', 'ns:A', ''])
      assert.equal(splitServiceAccount(`system:serviceaccount:${part}`), undefined, part);
    assert.equal(splitServiceAccount('alice'), undefined);
  });
});

describe('nodeOfUser', () => {
  test('returns the node of a system:node: user name, and undefined for others', () => {
    assert.equal(nodeOfUser('system:node:n1.example'), 'n1.example');
    for (const name of ['system:node:', 'system:node:N1', 'system:nodes:n1', 'n1'])
      assert.equal(nodeOfUser(name), undefined);
  });
});
