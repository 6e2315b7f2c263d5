import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { newInvalid } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt, objectsAt, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { recordedAnswers, recordedInputs } from '#shared/apimachinery/testing/recorded-values.ts';
import { validateAnnotations, validateObjectMeta, validateObjectMetaUpdate } from './meta-validation.ts';
import { nameIsDNSSubdomain } from './names.ts';

/** Go visits maps in random order and leaves TypeMeta to the writer. */
function comparable(status: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _version, ...rest } = status;
  return rest;
}

const root = path('metadata');

describe('validateObjectMeta', () => {
  objectsAt(recordedInputs, 'metas').forEach((meta, i) => {
    test(`returns the reference's errors for ${JSON.stringify(meta).slice(0, 80)}`, () => {
      const errors = atOnce(validateObjectMeta(meta, true, nameIsDNSSubdomain, root));
      const status = newInvalid({ group: '', kind: 'ConfigMap' }, 'x', errors).status;
      assert.deepEqual(comparable(status), listAt(recordedAnswers, 'metas')[i]);
    });
  });
});

describe('validateObjectMetaUpdate', () => {
  objectsAt(recordedInputs, 'metaUpdates').forEach((update, i) => {
    test(`returns the reference's errors for the update to ${JSON.stringify(update['new']).slice(0, 80)} (case ${i})`, () => {
      const errors = atOnce(
        validateObjectMetaUpdate(objectAt(update, 'new') as ObjectMeta, objectAt(update, 'old') as ObjectMeta, root),
      );
      const status = newInvalid({ group: '', kind: 'ConfigMap' }, 'x', errors).status;
      assert.deepEqual(comparable(status), listAt(recordedAnswers, 'metaUpdates')[i]);
    });
  });
});

describe('validateAnnotations', () => {
  test('accepts 256 KiB of keys and values together, and rejects a byte more', () => {
    const values = (bytes: number) => ({ a: 'x', b: 'x'.repeat(bytes - 3) });
    assert.deepEqual(atOnce(validateAnnotations(values(262_144), root)), []);
    assert.deepEqual(
      atOnce(validateAnnotations(values(262_145), root)).map(({ field, detail }) => [field, detail]),
      [['metadata', 'may not be more than 262144 bytes']],
    );
  });
});
