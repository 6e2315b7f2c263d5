import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sameAs } from '#shared/api/same-by-type.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { validateUnchanged } from './unchanged.ts';

const model = 'io.k8s.api.core.v1.PersistentVolumeSource';

describe('comparison of unchanged fields', () => {
  test('distinguishes an empty struct from a missing one, and treats equal quantities and empty lists as equal', () => {
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

  test('reports the bad value in the internal form of the type', () => {
    const [error] = validateUnchanged(
      'io.k8s.api.networking.v1.ParentReference',
      { name: 'a' },
      { name: 'b' },
      path('spec'),
    );
    assert.deepEqual(error?.badValue, { Group: '', Resource: '', Namespace: '', Name: 'a' });
    assert.deepEqual(
      validateUnchanged('io.k8s.api.networking.v1.ParentReference', undefined, { name: 'b' }, path('spec'))[0]
        ?.badValue,
      null,
    );
  });

  // Text of kube-apiserver v1.36.3 for a PATCH of a ResourceClaimTemplate with this spec.
  test('prints managedFields of template metadata in the order of their type', () => {
    const [error] = validateUnchanged(
      'io.k8s.api.resource.v1.ResourceClaimTemplateSpec',
      {
        metadata: {
          name: 'f',
          namespace: 'ns',
          uid: 'u',
          resourceVersion: '29531',
          creationTimestamp: '2026-11-24T18:52:55Z',
          managedFields: [
            {
              apiVersion: 'resource.k8s.io/v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': {} },
              manager: 'differential',
              operation: 'Update',
              time: '2026-11-24T18:52:55Z',
            },
          ],
        },
        spec: {
          devices: {
            requests: [
              { firstAvailable: [{ name: 'a', deviceClassName: 'kept', allocationMode: 'ExactCount', count: 1 }] },
            ],
          },
        },
      },
      { spec: {} },
      path('spec'),
    );
    assert.equal(
      JSON.stringify(error?.badValue),
      '{"name":"f","namespace":"ns","uid":"u","resourceVersion":"29531","creationTimestamp":"2026-11-24T18:52:55Z","managedFields":[{"manager":"differential","operation":"Update","apiVersion":"resource.k8s.io/v1","time":"2026-11-24T18:52:55Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}],"Spec":{"Devices":{"Requests":[{"Name":"","Exactly":null,"FirstAvailable":[{"Name":"a","DeviceClassName":"kept","Selectors":null,"AllocationMode":"ExactCount","Count":1,"Tolerations":null,"Capacity":null}]}],"Constraints":null,"Config":null}}}',
    );
  });
});
