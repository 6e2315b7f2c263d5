import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { StorageError, type StorageErrorCode } from '#shared/storage/storage.ts';
import { interpretStorageError, isOutcomeUnknown, type StorageOperation } from './storage-errors.ts';

function statusOf(code: StorageErrorCode, operation: StorageOperation, outcomeUnknown = false): StatusError['status'] {
  const error = new StorageError(code, 'broken', { outcomeUnknown });
  const interpreted = interpretStorageError(error, operation, { group: '', resource: 'pods' }, 'a');
  assert.ok(interpreted instanceof StatusError);
  return interpreted.status;
}

// As apiserver/pkg/storage/errors.
describe('interpretStorageError', () => {
  for (const [code, operation, status, reason] of [
    ['KeyNotFound', 'get', 404, 'NotFound'],
    ['KeyNotFound', 'list', 404, 'NotFound'],
    ['KeyExists', 'create', 409, 'AlreadyExists'],
    ['KeyExists', 'update', 409, 'Conflict'],
    ['Unavailable', 'get', 500, 'ServerTimeout'],
    ['DeadlineExceeded', 'get', 500, 'ServerTimeout'],
    ['Compacted', 'list', 410, 'Expired'],
    ['Internal', 'get', 500, 'InternalError'],
  ] as const)
    test(`turns ${code} of a ${operation} into ${status} ${reason}`, () => {
      const { code: got, reason: why } = statusOf(code, operation);
      assert.deepEqual([got, why], [status, reason]);
    });

  test('asks the client to retry after two seconds when storage is unavailable', () =>
    assert.equal(statusOf('Unavailable', 'get').details?.retryAfterSeconds, 2));

  test('does not ask the client to retry a write that may have been carried out', () => {
    const { code, details, message } = statusOf('Unavailable', 'update', true);
    assert.deepEqual([code, details?.retryAfterSeconds], [500, undefined]);
    assert.match(message ?? '', /may have been carried out/);
  });

  test('returns an error that is not of storage unchanged', () => {
    const error = new Error('other');
    assert.equal(interpretStorageError(error, 'get', { group: '', resource: 'pods' }, 'a'), error);
    assert.equal(isOutcomeUnknown(error), false);
  });
});
