import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeCaches } from '../testing/fake-caches.ts';
import type { AuthorizerAttributes } from '../authorizer.ts';
import { judgeCertificateRequest } from './certificate-requests.ts';

test('a node makes requests, and reads its own', async () => {
  const caches = new FakeCaches();
  caches.put('certificates.k8s.io', 'podcertificaterequests', { metadata: { name: 'r', namespace: 'd' }, spec: { nodeName: 'n1' } });
  const judge = async (attributes: Partial<AuthorizerAttributes>, node = 'n1'): Promise<string> => {
    const { decision, reason } = await judgeCertificateRequest(caches, node, {
      user: { name: `system:node:${node}`, uid: '', groups: [], extra: {} }, verb: 'get', resourceRequest: true, apiGroup: 'certificates.k8s.io', apiVersion: 'v1beta1', resource: 'podcertificaterequests', subresource: '', namespace: 'd', name: '', path: '', ...attributes,
    });
    return decision === 'allow' ? 'allow' : reason;
  };
  assert.equal(await judge({ verb: 'create' }), 'allow');
  assert.equal(await judge({ verb: 'create', subresource: 'status' }), 'nodes may not access the status subresource of PodCertificateRequests');
  assert.equal(await judge({ verb: 'delete', name: 'r' }), 'nodes may not delete podcertificaterequests');
  assert.equal(await judge({ name: 'r' }), 'allow');
  assert.equal(await judge({ name: 'r' }, 'n2'), "no relationship found between node 'n2' and this object");
  assert.equal(await judge({ verb: 'list', fieldSelector: 'spec.nodeName=n1,metadata.name=r' }), 'allow');
  for (const fieldSelector of [undefined, 'spec.nodeName!=n1', 'spec.nodeName=n2', 'x']) {
    assert.equal(await judge({ verb: 'watch', ...(fieldSelector !== undefined && { fieldSelector }) }), 'can only list/watch podcertificaterequests with nodeName field selector');
  }
});
