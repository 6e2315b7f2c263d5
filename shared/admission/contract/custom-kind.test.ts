import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { requireCustomKind, UnsuitableTypeError } from './custom-kind.ts';

describe('kind of a patched custom resource', () => {
  // The text is that of the reference, as test/conformance/random-policies found it.
  test('may not be removed, which is told with the object', () => {
    const patched = asKubeObject({ spec: { word: 'x', number: 1.5 }, metadata: { name: 'n' }, apiVersion: 'a.b/v1' });
    assert.throws(
      () => atOnce(requireCustomKind(patched)),
      (error) =>
        error instanceof StatusError &&
        error.status.code === 500 &&
        error.status.message ===
          `Internal error occurred: Object 'Kind' is missing in '{"apiVersion":"a.b/v1","metadata":{"name":"n"},"spec":{"number":1.5,"word":"x"}}'`,
    );
  });

  test('is told with its version where the group is another one', () => {
    const wanted = { group: 'a.b', version: 'v1', kind: 'Limit' };
    const { message } = new UnsuitableTypeError({ group: '', version: 'v9', kind: 'Limit' }, wanted);
    assert.equal(message, '/v9, Kind=Limit is unstructured and is not suitable for converting to "a.b/v1"');
  });

  test('may be another one', () => {
    atOnce(requireCustomKind(asKubeObject({ kind: 'Other', metadata: {} })));
  });
});
