import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { path, required } from './field-error.ts';
import { newForbidden, newInvalid, toStatus } from './status.ts';

describe('newInvalid', () => {
  test('lists all errors in the message and each of them as a cause', () => {
    const errors = [required(path('a'), ''), required(path('a'), ''), required(path('b'), 'x')];
    const { status } = newInvalid({ group: 'apps', kind: 'Deployment' }, 'd', errors);
    assert.equal(status.message, 'Deployment.apps "d" is invalid: [a: Required value, b: Required value: x]');
    assert.equal(status.details?.causes?.length, 3);
  });
});

describe('toStatus', () => {
  test('answers an error that is not a StatusError with code 500', () => {
    assert.deepEqual(toStatus(new Error('boom')), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'boom',
      code: 500,
    });
  });
});

describe('newForbidden', () => {
  test('leaves out the resource and the name when there are none', () =>
    assert.equal(newForbidden({ group: '', resource: '' }, '', 'no').message, 'forbidden: no'));
});
