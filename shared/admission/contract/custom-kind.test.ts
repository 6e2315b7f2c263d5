import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { requireCustomKind } from './custom-kind.ts';

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

  test('may be another one', () => {
    atOnce(requireCustomKind(asKubeObject({ kind: 'Other', metadata: {} })));
  });
});
