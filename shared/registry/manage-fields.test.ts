import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { manageFieldsOnCreate, manageFieldsOnUpdate } from './manage-fields.ts';
import type { ObjectStore } from './object-store.ts';
import type { UpdateRequest } from './resource-store.ts';
import type { OperationContext } from './strategy.ts';

/** A field manager that works in steps, as the real one does, and then names the manager. */
const fields = {
  *update(_live: KubeObject | undefined, object: KubeObject, manager: string): Steps<void> {
    yield;
    object.metadata.managedFields = [{ manager, operation: 'Update' }];
  },
};
const store = { fieldsOf: () => fields } as unknown as ObjectStore;
const context = { fieldManager: 'kube-apiserver', nowMs: 0 } as OperationContext;
const made = (): KubeObject => ({ metadata: { name: 'default' } });

describe('managed fields of own writes', () => {
  test('are set on an object that the server creates', () => {
    const object = made();
    manageFieldsOnCreate(store, object, context);
    assert.deepEqual(object.metadata.managedFields, [{ manager: 'kube-apiserver', operation: 'Update' }]);
  });

  test('are set on an object that the server updates', () => {
    const object = manageFieldsOnUpdate(store, {} as UpdateRequest, made(), made(), context);
    assert.deepEqual(object.metadata.managedFields, [{ manager: 'kube-apiserver', operation: 'Update' }]);
  });

  test('are left as they are where no manager is named', () => {
    const object = made();
    manageFieldsOnCreate(store, object, { nowMs: 0 } as OperationContext);
    assert.equal(object.metadata.managedFields, undefined);
  });
});
