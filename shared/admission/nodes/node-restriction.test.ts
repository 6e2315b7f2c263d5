import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../apimachinery/json.ts';
import { FakeCaches } from '../testing/fake-caches.ts';
import { pod, podAttributes, refusalOf } from '../testing/attributes.ts';
import { NodeRestriction } from './node-restriction.ts';
import { referencedObjects } from './mirror-pod-references.ts';

const kubelet = { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const mirror = (spec: JsonObject = {}): ReturnType<typeof pod> => ({
  ...pod({ nodeName: 'n1', ...spec }),
  metadata: { name: 'p', annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1', controller: true }] },
});

function restriction(): NodeRestriction {
  const caches = new FakeCaches();
  caches.put('', 'nodes', { metadata: { name: 'n1', uid: 'u1' } });
  caches.put('', 'serviceaccounts', { metadata: { name: 'sa', namespace: 'a', uid: 'su' } });
  caches.put('', 'pods', { metadata: { name: 'p', namespace: 'a', uid: 'pu' }, spec: { nodeName: 'n1', serviceAccountName: 'sa', volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } }] } });
  return new NodeRestriction(caches, (_user, { resource }) => ({ allowed: resource === 'granted', reason: '' }));
}

test('a node shows its static pods, which need no other objects', async () => {
  assert.equal(await refusalOf(restriction(), podAttributes({ user: kubelet, object: mirror() })), undefined);
  const status = await refusalOf(restriction(), podAttributes({ user: kubelet, object: mirror({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }) }));
  assert.equal(status?.message, 'pods "p" is forbidden: node "n1" can not create pods that reference persistentvolumeclaims');
  assert.equal(referencedObjects({ containers: [{ envFrom: [{ configMapRef: { name: 'm' } }] }] }), 'configmaps');
});

test('others may do what nodes may not', async () => {
  assert.equal(await refusalOf(restriction(), podAttributes()), undefined);
  assert.equal((await refusalOf(restriction(), podAttributes({ user: { ...kubelet, name: 'system:node:' } })))?.message, 'pods "p" is forbidden: could not determine node from user "system:node:"');
});

test('a token is for an audience that the pod names, or that somebody granted', async () => {
  const request = (audiences: string[], uid = 'pu'): ReturnType<typeof refusalOf> => refusalOf(restriction(), podAttributes({
    user: kubelet, resource: { group: '', version: 'v1', resource: 'serviceaccounts' }, subresource: 'token', name: 'default',
    object: { metadata: {}, spec: { audiences, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid } } },
  }));
  assert.equal(await request(['vault']), undefined);
  assert.equal(await request(['granted']), undefined);
  assert.match((await request(['other']))?.message ?? '', /audience "other" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience$/);
  assert.match((await request(['vault', 'other']))?.message ?? '', /node may only request 0 or 1 audiences$/);
  assert.match((await request(['vault'], 'old'))?.message ?? '', /the UID in the bound object reference \(old\) does not match the UID in record/);
});

test('a certificate is for a pod that the node runs, as what it runs as', async () => {
  const message = async (more: JsonObject = {}, change: Parameters<typeof podAttributes>[0] = {}): Promise<string | undefined> => (await refusalOf(restriction(), podAttributes({
    user: kubelet, resource: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' }, name: 'r', ...change,
    object: { metadata: { name: 'r' }, spec: { nodeName: 'n1', nodeUID: 'u1', podName: 'p', podUID: 'pu', serviceAccountName: 'sa', serviceAccountUID: 'su', ...more } },
  })))?.message;
  assert.equal(await message(), undefined);
  assert.match(await message({}, { operation: 'UPDATE' }) ?? '', /unexpected operation UPDATE$/);
  assert.match(await message({ nodeName: 'n2' }) ?? '', /is forbidden: PodCertificateRequest\.Spec\.NodeName="n2", which is not the requesting node "n1"$/);
  // Kubelets try these again.
  assert.equal(await message({ nodeUID: 'x' }), 'PodCertificateRequest for pod "a/p" names node UID "x", inconsistent with the running node ("u1")');
  assert.equal(await message({ podName: 'q' }), 'while retrieving pod "a/q" named in the PodCertificateRequest: pod "q" not found');
  assert.equal(await message({ podUID: 'x' }), 'PodCertificateRequest for pod "a/p" contains pod UID ("x") which differs from running pod "pu"');
  assert.match(await message({ serviceAccountName: 'x' }) ?? '', /serviceAccountName \("x"\) that differs from running pod \("sa"\)$/);
  assert.equal(await message({ serviceAccountUID: 'x' }), 'PodCertificateRequest for pod "a/p" names service account UID "x", which differs from the running service account ("su")');
});
