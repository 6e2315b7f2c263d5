import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEncryption } from './configuration/load-encryption.ts';
import type { ValueTransformer } from './contract/value-transformer.ts';
import { TransformationMetrics } from './providers/transformation-metrics.ts';
import { ResourceTransformers } from './resource-transformers.ts';
import { recordedFiles, recordedKey, recordedPlain, type RecordedFile } from './testing/recorded-files.ts';

const configMaps = { group: '', resource: 'configmaps' };
const files = recordedFiles().filter(({ stored }) => stored !== undefined);

function opened({ bytes, isReloaded }: RecordedFile): ResourceTransformers {
  const configuration = loadEncryption(bytes, { path: 'FILE', isReloaded, allowsKmsV1: false });
  return new ResourceTransformers(configuration, new TransformationMetrics(), () => assert.fail('no KMS is expected'));
}

type MaybeRevealed = ReturnType<ValueTransformer['fromStorage']> | undefined;

function asText(revealed: MaybeRevealed): { value: string; isStale: boolean } {
  assert.ok(revealed !== undefined && 'value' in revealed);
  return { ...revealed, value: Buffer.from(revealed.value).toString() };
}

describe('ResourceTransformers', () => {
  const transformers = new Map(files.map((file) => [file.name, opened(file).of(configMaps)]));

  for (const { name, stored, readings } of files)
    test(`read a value that the reference wrote as it does: ${name}`, () => {
      for (const { by, plain, stale = false, error } of readings) {
        const read = (): MaybeRevealed => transformers.get(by)?.fromStorage(stored ?? recordedPlain, recordedKey);
        if (error !== undefined) assert.throws(read, { message: error }, by);
        else assert.deepEqual(asText(read()), { value: plain, isStale: stale }, by);
      }
    });

  for (const { name, stored } of files)
    test(`write a value in the reference's form: ${name}`, async () => {
      const own = await transformers.get(name)?.toStorage(recordedPlain, recordedKey);
      assert.ok(own !== undefined && stored !== undefined);
      assert.equal(own.length, stored.length);
      const prefix = /^(?:k8s:enc:[^:]+:v1:[^:]+:)?/.exec(Buffer.from(stored).toString('latin1'))?.[0] ?? '';
      assert.equal(Buffer.from(own).toString('latin1').startsWith(prefix), true);
      const revealed = transformers.get(name)?.fromStorage(own, recordedKey);
      assert.deepEqual(asText(revealed), { value: recordedPlain.toString(), isStale: false });
    });

  test('refuse a value of AES-GCM at another key', () => {
    const file = files.find(({ name }) => name === 'aesgcm of 32 bytes');
    assert.throws(() => transformers.get('aesgcm of 32 bytes')?.fromStorage(file?.stored ?? recordedPlain, '/other'), {
      message: 'cipher: message authentication failed',
    });
  });
});
