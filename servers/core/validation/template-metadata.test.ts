import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { validateTemplateMetadata } from './template-metadata.ts';

describe('validateTemplateMetadata', () => {
  test('reports forbidden fields in the order of ObjectMeta', () => {
    const metadata = {
      uid: 'x',
      name: 'q',
      resourceVersion: '3',
      generation: 4,
      selfLink: 'a',
      creationTimestamp: '2020-01-01T00:00:00Z',
      ownerReferences: [{ name: 'b' }],
      finalizers: ['a'],
      namespace: 'n',
      generateName: 'g',
      labels: { a: 'b' },
      managedFields: [{ manager: 'a' }],
      deletionGracePeriodSeconds: 3,
      deletionTimestamp: '2020-01-01T00:00:00Z',
    };
    // As kube-apiserver 1.36.3 told it of this metadata in a ResourceClaimTemplate.
    assert.deepEqual(
      validateTemplateMetadata({ metadata }, path('spec', 'metadata')).map(({ field }) =>
        field.replace('spec.metadata.', ''),
      ),
      [
        'name',
        'generateName',
        'namespace',
        'selfLink',
        'uID',
        'resourceVersion',
        'generation',
        'creationTimestamp',
        'deletionTimestamp',
        'deletionGracePeriodSeconds',
        'ownerReferences',
        'finalizers',
        'managedFields',
      ],
    );
    assert.deepEqual(
      validateTemplateMetadata({ metadata: { generation: 0, name: '', uid: '' } }, path('spec', 'metadata')),
      [],
    );
  });
});
