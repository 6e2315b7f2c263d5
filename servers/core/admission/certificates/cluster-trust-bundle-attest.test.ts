import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { ClusterTrustBundleAttest } from './cluster-trust-bundle-attest.ts';

const bundle = (signerName?: string, finalizers: string[] = [], trustBundle = 'x'): KubeObject => ({
  metadata: { name: 'b', ...(finalizers.length > 0 && { finalizers }) },
  spec: { trustBundle, ...(signerName !== undefined && { signerName }) },
});
const plugin = new ClusterTrustBundleAttest((_user, { verb, resource, name }) => ({
  allowed: `${verb} ${resource} ${name}` === 'attest signers example.com/*',
  reason: '',
}));

async function refusal(object: KubeObject, oldObject?: KubeObject): Promise<string | undefined> {
  const resource = { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles' };
  const status = await refusalOf(
    plugin,
    podAttributes({
      resource,
      name: 'b',
      object,
      ...(oldObject === undefined ? {} : { operation: 'UPDATE', oldObject }),
    }),
  );
  return status?.message;
}

describe('ClusterTrustBundleAttest', () => {
  test('requires permission to attest for the signer of the bundle', async () => {
    assert.equal(plugin.handles('CREATE', { group: 'certificates.k8s.io', resource: 'clustertrustbundles' }), true);
    assert.equal(plugin.handles('DELETE', { group: 'certificates.k8s.io', resource: 'clustertrustbundles' }), false);
    assert.equal(await refusal(bundle('example.com/s')), undefined);
    assert.equal(await refusal(bundle()), undefined);
    assert.equal(
      await refusal(bundle('other.com/s')),
      'clustertrustbundles.certificates.k8s.io "b" is forbidden: user not permitted to attest for signerName "other.com/s"',
    );
  });

  test('allows an update that only removes finalizers without that permission', async () => {
    const old = bundle('other.com/s');
    assert.equal(await refusal(bundle('other.com/s', ['example.com/f']), old), undefined);
    assert.notEqual(await refusal(bundle('other.com/s', [], 'y'), old), undefined);
  });
});
