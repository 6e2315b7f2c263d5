import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { referencedObjects } from './mirror-pod-references.ts';
import { NodeRestriction } from './node-restriction.ts';

const kubelet = { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const mirror = (spec: JsonObject = {}): ReturnType<typeof pod> => ({
  ...pod({ nodeName: 'n1', ...spec }),
  metadata: {
    name: 'p',
    annotations: { 'kubernetes.io/config.mirror': 'x' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1', controller: true }],
  },
});

function restriction(
  volumes: JsonObject[] = [{ name: 'v', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } }],
  restrictsAudiences = true,
): NodeRestriction {
  const caches = new FakeCaches();
  caches.put('', 'persistentvolumeclaims', {
    metadata: { name: 'p-own', namespace: 'a' },
    spec: { volumeName: 'disk' },
  });
  caches.put('', 'persistentvolumeclaims', { metadata: { name: 'waits', namespace: 'a' }, spec: {} });
  caches.put('', 'persistentvolumes', { metadata: { name: 'disk' }, spec: { gcePersistentDisk: { pdName: 'd' } } });
  caches.put('storage.k8s.io', 'csidrivers', {
    metadata: { name: 'pd.csi.storage.gke.io' },
    spec: { tokenRequests: [{ audience: 'disks' }] },
  });
  caches.put('', 'nodes', { metadata: { name: 'n1', uid: 'u1' } });
  caches.put('', 'serviceaccounts', { metadata: { name: 'sa', namespace: 'a', uid: 'su' } });
  caches.put('', 'pods', {
    metadata: { name: 'p', namespace: 'a', uid: 'pu' },
    spec: { nodeName: 'n1', serviceAccountName: 'sa', volumes },
  });
  return new NodeRestriction(
    caches,
    (_user, { resource }) => ({ allowed: resource === 'granted', reason: '' }),
    restrictsAudiences,
  );
}

describe('NodeRestriction', () => {
  test('lets a node create a mirror pod unless it references other objects', async () => {
    assert.equal(await refusalOf(restriction(), podAttributes({ user: kubelet, object: mirror() })), undefined);
    const status = await refusalOf(
      restriction(),
      podAttributes({
        user: kubelet,
        object: mirror({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      }),
    );
    assert.equal(
      status?.message,
      'pods "p" is forbidden: node "n1" can not create pods that reference persistentvolumeclaims',
    );
    assert.equal(referencedObjects({ containers: [{ envFrom: [{ configMapRef: { name: 'm' } }] }] }), 'configmaps');
  });

  test('restricts node users only, and refuses a node user without a node name', async () => {
    assert.equal(await refusalOf(restriction(), podAttributes()), undefined);
    assert.equal(
      (await refusalOf(restriction(), podAttributes({ user: { ...kubelet, name: 'system:node:' } })))?.message,
      'pods "p" is forbidden: could not determine node from user "system:node:"',
    );
  });

  const tokenRequest = (plugin: NodeRestriction, audiences: string[], uid = 'pu'): ReturnType<typeof refusalOf> =>
    refusalOf(
      plugin,
      podAttributes({
        user: kubelet,
        resource: { group: '', version: 'v1', resource: 'serviceaccounts' },
        subresource: 'token',
        name: 'default',
        object: {
          metadata: {},
          spec: { audiences, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid } },
        },
      }),
    );

  test('allows tokens only for audiences named in the pod or granted by RBAC', async () => {
    const request = (audiences: string[], uid?: string): ReturnType<typeof refusalOf> =>
      tokenRequest(restriction(), audiences, uid);
    assert.equal(await request(['vault']), undefined);
    assert.equal(await request(['granted']), undefined);
    assert.match(
      (await request(['other']))?.message ?? '',
      /audience "other" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience$/,
    );
    assert.match((await request(['vault', 'other']))?.message ?? '', /node may only request 0 or 1 audiences$/);
    assert.match(
      (await request(['vault'], 'old'))?.message ?? '',
      /the UID in the bound object reference \(old\) does not match the UID in record/,
    );
  });

  test('allows the audience of a CSI driver for every kind of volume that uses the driver', async () => {
    const own = { name: 'own', ephemeral: { volumeClaimTemplate: { spec: {} } } };
    const inline = { name: 'i', gcePersistentDisk: { pdName: 'd' } };
    for (const volume of [
      own,
      inline,
      { name: 'c', persistentVolumeClaim: { claimName: 'p-own' } },
      { name: 'd', csi: { driver: 'pd.csi.storage.gke.io' } },
    ]) {
      assert.equal(await tokenRequest(restriction([volume]), ['disks']), undefined);
    }
    assert.match((await tokenRequest(restriction([own]), ['other']))?.message ?? '', /not authorized/);
  });

  test('reports drivers, claims and volumes that do not exist, unless the gate is off', async () => {
    const volumes = [
      { name: 'a', csi: { driver: 'none' } },
      { name: 'b', persistentVolumeClaim: { claimName: 'gone' } },
      { name: 'c', persistentVolumeClaim: { claimName: 'waits' } },
    ];
    const texts =
      'csidriver.storage.k8s.io "none" not found, persistentvolumeclaim "gone" not found, persistentvolume "" not found';
    assert.equal(
      (await tokenRequest(restriction(volumes), ['x']))?.message,
      `serviceaccounts "default" is forbidden: error validating audience "x": [${texts}]`,
    );
    assert.equal(await tokenRequest(restriction(volumes, false), ['x', 'y']), undefined);
  });

  test('allows a PodCertificateRequest only for a pod on the node, with its current UIDs and service account', async () => {
    const message = async (
      more: JsonObject = {},
      change: Parameters<typeof podAttributes>[0] = {},
    ): Promise<string | undefined> =>
      (
        await refusalOf(
          restriction(),
          podAttributes({
            user: kubelet,
            resource: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' },
            name: 'r',
            ...change,
            object: {
              metadata: { name: 'r' },
              spec: {
                nodeName: 'n1',
                nodeUID: 'u1',
                podName: 'p',
                podUID: 'pu',
                serviceAccountName: 'sa',
                serviceAccountUID: 'su',
                ...more,
              },
            },
          }),
        )
      )?.message;
    assert.equal(await message(), undefined);
    assert.match((await message({}, { operation: 'UPDATE' })) ?? '', /unexpected operation UPDATE$/);
    assert.match(
      (await message({ nodeName: 'n2' })) ?? '',
      /is forbidden: PodCertificateRequest\.Spec\.NodeName="n2", which is not the requesting node "n1"$/,
    );
    // Kubelets try these again.
    assert.equal(
      await message({ nodeUID: 'x' }),
      'PodCertificateRequest for pod "a/p" names node UID "x", inconsistent with the running node ("u1")',
    );
    assert.equal(
      await message({ podName: 'q' }),
      'while retrieving pod "a/q" named in the PodCertificateRequest: pod "q" not found',
    );
    assert.equal(
      await message({ podUID: 'x' }),
      'PodCertificateRequest for pod "a/p" contains pod UID ("x") which differs from running pod "pu"',
    );
    assert.match(
      (await message({ serviceAccountName: 'x' })) ?? '',
      /serviceAccountName \("x"\) that differs from running pod \("sa"\)$/,
    );
    assert.equal(
      await message({ serviceAccountUID: 'x' }),
      'PodCertificateRequest for pod "a/p" names service account UID "x", which differs from the running service account ("su")',
    );
  });
});
