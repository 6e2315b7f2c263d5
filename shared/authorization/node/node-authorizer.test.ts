import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Authorization } from '#shared/authorization/contract/authorizer.ts';
import { answerOf, askAsNode, nodeUser } from '#shared/authorization/testing/ask-as-node.ts';
import { NodeFakeCaches } from '#shared/authorization/testing/fake-caches.ts';
import { NodeAuthorizer } from './node-authorizer.ts';

const unrelated = "no relationship found between node 'n1' and this object";

function pod(name: string, spec: JsonObject, more: JsonObject = {}): KubeObject {
  return asKubeObject({ ...more, metadata: { namespace: 'ns', name }, spec: { nodeName: 'n1', ...spec } });
}

function volume(name: string, claimName: string, source: JsonObject): KubeObject {
  return asKubeObject({ metadata: { name }, spec: { claimRef: { namespace: 'ns', name: claimName }, ...source } });
}

function start(): {
  caches: NodeFakeCaches;
  may: (resource: string, name: string, change?: Parameters<typeof askAsNode>[0]) => Promise<string>;
} {
  const caches = new NodeFakeCaches();
  const authorizer = new NodeAuthorizer(caches, { isEnabled: () => true });
  return { caches, may: (resource, name, change = {}) => answerOf(authorizer, { resource, name, ...change }) };
}

describe('NodeAuthorizer', () => {
  test('allows a node the Secrets of its pods until the last such pod is gone', async () => {
    const { caches, may } = start();
    const spec = { volumes: [{ name: 'a', secret: { secretName: 's' } }] };
    caches.put('', 'pods', pod('a', spec));
    assert.equal(await may('secrets', 's'), 'allow');
    caches.put('', 'pods', pod('b', spec, { status: { phase: 'Succeeded' } }));
    caches.remove('', 'pods', 'ns', 'a');
    assert.equal(await may('secrets', 's'), 'allow');
    assert.equal(
      await may('secrets', 's', { user: nodeUser('n2') }),
      "no relationship found between node 'n2' and this object",
    );
    caches.remove('', 'pods', 'ns', 'b');
    assert.equal(await may('secrets', 's'), unrelated);
  });

  test('gives no rights through a pod before it is bound', async () => {
    const { caches, may } = start();
    caches.put('', 'pods', pod('a', { nodeName: '', serviceAccountName: 'a' }));
    assert.equal(await may('serviceaccounts', 'a', { verb: 'create', subresource: 'token' }), unrelated);
    caches.put('', 'pods', pod('a', { serviceAccountName: 'a' }));
    assert.equal(await may('serviceaccounts', 'a', { verb: 'create', subresource: 'token' }), 'allow');
    assert.equal(await may('pods', 'a'), 'allow');
  });

  test('follows claims to volumes, and volumes to the secrets that kubelets need', async () => {
    const { caches, may } = start();
    caches.put(
      '',
      'pods',
      pod('a', {
        volumes: [
          { name: 'a', persistentVolumeClaim: { claimName: 'c' } },
          { name: 'e', ephemeral: {} },
        ],
      }),
    );
    caches.put(
      '',
      'persistentvolumes',
      volume('v', 'c', {
        csi: {
          nodeStageSecretRef: { namespace: 'other', name: 's' },
          controllerPublishSecretRef: { namespace: 'other', name: 'x' },
        },
      }),
    );
    caches.put('', 'persistentvolumes', volume('e', 'a-e', { azureFile: { secretName: 'z' } }));
    assert.equal(await may('persistentvolumes', 'v', { namespace: '' }), 'allow');
    assert.equal(await may('secrets', 's', { namespace: 'other' }), 'allow');
    assert.equal(await may('secrets', 'x', { namespace: 'other' }), unrelated);
    assert.equal(await may('secrets', 'z'), 'allow');
    caches.put('', 'persistentvolumes', asKubeObject({ metadata: { name: 'e' }, spec: {} }));
    assert.equal(await may('secrets', 'z'), unrelated);
  });

  test("allows ResourceClaims made from templates once the pod's status names them", async () => {
    const { caches, may } = start();
    const question = { apiGroup: 'resource.k8s.io' };
    const spec = {
      resourceClaims: [
        { name: 'a', resourceClaimName: 'named' },
        { name: 'b', resourceClaimTemplateName: 't' },
      ],
    };
    caches.put('', 'pods', pod('a', spec));
    assert.equal(await may('resourceclaims', 'named', question), 'allow');
    assert.equal(await may('resourceclaims', 'made', question), unrelated);
    caches.put(
      '',
      'pods',
      pod('a', spec, {
        status: {
          resourceClaimStatuses: [{ name: 'b', resourceClaimName: 'made' }],
          extendedResourceClaimStatus: { resourceClaimName: 'more' },
        },
      }),
    );
    assert.equal(await may('resourceclaims', 'made', question), 'allow');
    assert.equal(await may('resourceclaims', 'more', question), 'allow');
  });

  test('allows the VolumeAttachments and ResourceSlices of the node itself only', async () => {
    const { caches, may } = start();
    caches.put(
      'storage.k8s.io',
      'volumeattachments',
      asKubeObject({ metadata: { name: 'a' }, spec: { nodeName: 'n1' } }),
    );
    caches.put(
      'resource.k8s.io',
      'resourceslices',
      asKubeObject({ metadata: { name: 'a' }, spec: { nodeName: 'n2' } }),
    );
    assert.equal(await may('volumeattachments', 'a', { apiGroup: 'storage.k8s.io', namespace: '' }), 'allow');
    assert.equal(
      await may('resourceslices', 'a', { apiGroup: 'resource.k8s.io', namespace: '', verb: 'delete' }),
      unrelated,
    );
  });

  test('answers synchronously once it knows the object', async () => {
    const caches = new NodeFakeCaches();
    const authorizer = new NodeAuthorizer(caches, { isEnabled: () => true });
    caches.put('', 'pods', pod('a', { serviceAccountName: 'a' }));
    await authorizer.authorize(askAsNode({ name: 'unknown' }));
    assert.equal((authorizer.authorize(askAsNode({ resource: 'pods', name: 'a' })) as Authorization).decision, 'allow');
  });

  test('has no opinion on users outside of system:nodes, and resolves no rules', async () => {
    const authorizer = new NodeAuthorizer(new NodeFakeCaches(), { isEnabled: () => true });
    assert.equal(await answerOf(authorizer, { user: { ...nodeUser('n1'), groups: [] } }), '');
    assert.equal(await answerOf(authorizer, { user: nodeUser('') }), 'unknown node for user "system:node:"');
    assert.equal(
      authorizer.rulesFor(nodeUser('n1')).evaluationError,
      'node authorizer does not support user rule resolution',
    );
  });
});
