import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import { defaulted } from '#servers/core/testing/validated.ts';
import { objectAt } from '#shared/apimachinery/object.ts';

describe('VolumeAttachment strategy', () => {
  test('rounds the capacity of an inline volume up to thousandths', () => {
    const inlineVolumeSpec = { capacity: { a: '9223372036854775807n' }, hostPath: { path: '/' } };
    const spec = { attacher: 'a', nodeName: 'n', source: { inlineVolumeSpec } };
    const request = recordedRequest('storage.k8s.io', 'v1', 'volumeattachments', 'VolumeAttachment', { spec }, false);
    // As kube-apiserver answers.
    assert.deepEqual(objectAt(defaulted(request), 'spec', 'source', 'inlineVolumeSpec', 'capacity'), {
      a: '9223372036855m',
    });
  });
});
