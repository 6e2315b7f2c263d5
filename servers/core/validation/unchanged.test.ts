import assert from 'node:assert/strict';
import { test } from 'node:test';
import { path } from '../../../shared/apimachinery/field-error.ts';
import { sameAs } from '../../../shared/api/same-by-type.ts';
import { validateUnchanged } from './unchanged.ts';

const model = 'io.k8s.api.core.v1.PersistentVolumeSource';

test('an empty struct behind a pointer is not none, amounts and lists without items are as good as others', () => {
  assert.equal(sameAs(model, { csi: {} }, {}), false);
  assert.equal(
    sameAs(
      'io.k8s.api.core.v1.PersistentVolumeClaimSpec',
      { accessModes: [], resources: { requests: { storage: '1024Mi' } } },
      { resources: { requests: { storage: '1Gi' } } },
    ),
    true,
  );
});

test('what changed is shown in its internal form', () => {
  const [error] = validateUnchanged(
    'io.k8s.api.networking.v1.ParentReference',
    { name: 'a' },
    { name: 'b' },
    path('spec'),
  );
  assert.deepEqual(error?.badValue, { Group: '', Resource: '', Namespace: '', Name: 'a' });
  assert.deepEqual(
    validateUnchanged('io.k8s.api.networking.v1.ParentReference', undefined, { name: 'b' }, path('spec'))[0]?.badValue,
    null,
  );
});
