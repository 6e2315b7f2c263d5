import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { ServiceAccount } from './service-account.ts';

const account = (name: string): { metadata: { name: string; namespace: string } } => ({
  metadata: { name, namespace: 'a' },
});

describe('ServiceAccount', () => {
  test('waits until the default account of a new namespace exists', async () => {
    const caches = new FakeCaches();
    let reads = 0;
    caches.onCurrent('', 'serviceaccounts', () => {
      reads += 1;
      if (reads === 4) caches.put('', 'serviceaccounts', account('default'));
    });
    assert.equal(await refusalOf(new ServiceAccount(caches, () => 0), podAttributes()), undefined);
    assert.equal(reads, 4);
  });

  test('reads a missing default account ten times, and other missing accounts once', async () => {
    const caches = new FakeCaches();
    let reads = 0;
    caches.onCurrent('', 'serviceaccounts', () => void (reads += 1));
    const plugin = new ServiceAccount(caches, () => 0);
    assert.equal(
      (await refusalOf(plugin, podAttributes()))?.message,
      'pods "p" is forbidden: error looking up service account a/default: serviceaccount "default" not found',
    );
    assert.equal(reads, 10);
    await refusalOf(plugin, podAttributes({ object: pod({ serviceAccountName: 'other' }) }));
    assert.equal(reads, 11);
  });

  test('mounts an existing token volume instead of adding another', async () => {
    const caches = new FakeCaches();
    caches.put('', 'serviceaccounts', account('default'));
    const object = pod({ volumes: [{ name: 'kube-api-access-abcde', projected: {} }] });
    await refusalOf(new ServiceAccount(caches), podAttributes({ object }));
    assert.equal(objectsAt(object, 'spec', 'volumes').length, 1);
    assert.equal(objectsAt(object, 'spec', 'containers')[0] === undefined, false);
    assert.deepEqual(
      objectsAt(objectsAt(object, 'spec', 'containers')[0], 'volumeMounts').map((mount) => mount['name']),
      ['kube-api-access-abcde'],
    );
  });

  test('refuses an ephemeral container with a secret that the account does not list', async () => {
    const caches = new FakeCaches();
    caches.put('', 'serviceaccounts', {
      metadata: { name: 'strict', namespace: 'a', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
      secrets: [{ name: 'one' }],
    });
    const debug = (secret: string): Promise<unknown> =>
      refusalOf(
        new ServiceAccount(caches),
        podAttributes({
          operation: 'UPDATE',
          subresource: 'ephemeralcontainers',
          oldObject: pod(),
          object: pod({
            serviceAccountName: 'strict',
            ephemeralContainers: [{ name: 'e', envFrom: [{ secretRef: { name: secret } }] }],
          }),
        }),
      );
    assert.equal(await debug('one'), undefined);
    const refused = await debug('two');
    assert.match(
      JSON.stringify(refused),
      /ephemeral container e with envFrom referencing secret.secretName=\\"two\\" is not allowed because service account strict/,
    );
  });

  test('ignores the binding subresource', async () => {
    const object = pod();
    assert.equal(
      await refusalOf(new ServiceAccount(new FakeCaches(), () => 0), podAttributes({ subresource: 'binding', object })),
      undefined,
    );
    assert.equal(objectAt(object, 'spec')?.['serviceAccountName'], undefined);
  });
});
