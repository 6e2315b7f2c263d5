import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeOfUser, serviceAccountGroups, splitServiceAccount } from './account-names.ts';

test('the name of a service account has its namespace and its name', () => {
  assert.deepEqual(splitServiceAccount('system:serviceaccount:ns:a.b'), { namespace: 'ns', name: 'a.b' });
  assert.deepEqual(serviceAccountGroups('ns'), ['system:serviceaccounts', 'system:serviceaccounts:ns']);
});

test('names with a part too few, too many or of a wrong form are none', () => {
  for (const part of ['ns', 'ns:', ':a', 'ns:a:b', 'NS:a', 'n.s:a', 'ns:A', ''])
    assert.equal(splitServiceAccount(`system:serviceaccount:${part}`), undefined, part);
  assert.equal(splitServiceAccount('alice'), undefined);
});

test('a node is named behind its prefix', () => {
  assert.equal(nodeOfUser('system:node:n1.example'), 'n1.example');
  for (const name of ['system:node:', 'system:node:N1', 'system:nodes:n1', 'n1'])
    assert.equal(nodeOfUser(name), undefined);
});
