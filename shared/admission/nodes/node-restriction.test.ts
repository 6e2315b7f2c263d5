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
  caches.put('', 'pods', { metadata: { name: 'p', namespace: 'a', uid: 'pu' }, spec: { nodeName: 'n1', volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } }] } });
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
