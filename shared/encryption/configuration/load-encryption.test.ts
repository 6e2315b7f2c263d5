import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordedFiles } from '#shared/encryption/testing/recorded-files.ts';
import { loadEncryption } from './load-encryption.ts';

/** The reference prints keys of entries with two providers. */
const withKeys = /"Secret":"[^"]*"/g;

describe('loadEncryption', () => {
  for (const { name, bytes, isReloaded, error } of recordedFiles())
    test(`says of a file what the reference says: ${name}`, () => {
      const load = (): unknown => loadEncryption(bytes, { path: 'FILE', isReloaded, allowsKmsV1: false });
      if (error === undefined) load();
      else assert.throws(load, { message: error.replaceAll(withKeys, '"Secret":"REDACTED"') });
    });

  test('accepts KMS v1 with its gate', () => {
    const file = recordedFiles().find(({ name }) => name === 'kms v1 without its gate');
    const options = { path: 'FILE', isReloaded: false, allowsKmsV1: true };
    assert.equal(loadEncryption(file?.bytes ?? new Uint8Array(), options).resources.length, 1);
  });
});
