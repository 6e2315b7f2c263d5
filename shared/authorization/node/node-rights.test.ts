import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { askAsNode } from '#shared/authorization/testing/ask-as-node.ts';
import { nodeRightsTable } from './node-rights.ts';

function judge(change: Partial<AuthorizerAttributes>, ...off: readonly string[]): string {
  const question = askAsNode(change);
  const verdict =
    nodeRightsTable({ isEnabled: (gate) => !off.includes(gate) }).get([question.apiGroup, question.resource])?.(
      'n1',
      question,
    ) ?? 'rules';
  return typeof verdict === 'string' ? verdict : verdict.refused;
}

const own = { field: 'spec.nodeName', operator: '=', value: 'n1' } as const;
const slices = { apiGroup: 'resource.k8s.io', resource: 'resourceslices' };
const requests = { apiGroup: 'certificates.k8s.io', resource: 'podcertificaterequests' };

describe('nodeRightsTable', () => {
  test('allow objects of pods to be read singly, not listed or written', () => {
    assert.equal(judge({ verb: 'list', name: 'a' }), 'related');
    assert.equal(judge({ verb: 'list' }), 'No Object name found');
    assert.equal(judge({ verb: 'update', name: 'a' }), 'can only read resources of this type');
    assert.equal(judge({ name: 'a', subresource: 'x' }), 'cannot read subresource');
    assert.equal(judge({ name: 'a', namespace: '' }), 'can only read namespaced object of this type');
    assert.equal(
      judge({ resource: 'persistentvolumes', verb: 'list', name: 'a' }),
      'can only get individual resources of this type',
    );
    assert.equal(
      judge({ resource: 'persistentvolumeclaims', subresource: 'status', verb: 'patch', name: 'a' }),
      'related',
    );
    assert.equal(
      judge({ resource: 'persistentvolumeclaims', subresource: 'status', name: 'a' }),
      'can only get/update/patch this type',
    );
  });

  test("allow Lease and Node of the node's own name only", () => {
    const lease = { apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease' };
    assert.equal(judge({ ...lease, name: 'n1' }), 'allowed');
    assert.equal(
      judge({ ...lease, name: 'n2' }),
      'can only access node lease with the same name as the requesting node',
    );
    assert.equal(judge({ ...lease, verb: 'create' }), 'allowed');
    assert.equal(
      judge({ ...lease, name: 'n1', namespace: 'ns' }),
      'can only access leases in the "kube-node-lease" system namespace',
    );
    assert.equal(judge({ resource: 'nodes', namespace: '', verb: 'watch', name: 'n1' }), 'allowed');
    assert.equal(
      judge({ resource: 'nodes', namespace: '', name: 'n2' }),
      "node 'n1' cannot read 'n2', only its own Node object",
    );
    assert.equal(judge({ resource: 'nodes', namespace: '', verb: 'delete', name: 'n1' }), '');
  });

  test("allow collections only with a selector of the node's name", () => {
    assert.equal(
      judge({ resource: 'pods', verb: 'watch' }),
      'can only list/watch pods with spec.nodeName field selector',
    );
    assert.equal(judge({ resource: 'pods', verb: 'watch', fieldSelector: [own] }), 'allowed');
    assert.equal(
      judge({ resource: 'pods', verb: 'list', fieldSelector: [{ ...own, operator: '!=' }] }),
      'can only list/watch pods with spec.nodeName field selector',
    );
    assert.equal(judge({ ...slices, verb: 'deletecollection', fieldSelector: [own] }), 'allowed');
    assert.equal(
      judge({ ...slices, verb: 'list' }),
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    );
    assert.equal(
      judge({ ...requests, verb: 'list', fieldSelector: [{ ...own, value: 'n2' }] }),
      'can only list/watch podcertificaterequests with nodeName field selector',
    );
  });

  test('follow their feature gates', () => {
    assert.equal(judge({ resource: 'pods', verb: 'watch' }, 'AuthorizeNodeWithSelectors'), 'rules');
    assert.equal(judge({ ...slices, verb: 'list' }, 'AuthorizeNodeWithSelectors'), 'allowed');
    assert.equal(judge({ ...requests, verb: 'create' }, 'PodCertificateRequest'), '');
    const account = { resource: 'serviceaccounts', name: 'a' };
    assert.equal(judge(account, 'PodCertificateRequest'), 'related');
    assert.equal(
      judge(account, 'PodCertificateRequest', 'KubeletServiceAccountTokenForCredentialProviders'),
      'not allowed to get service accounts',
    );
  });
});
