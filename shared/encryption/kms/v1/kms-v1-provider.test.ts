import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sealAesCbc } from '#shared/encryption/ciphers/aes-cbc.ts';
import { aesKey, openAesGcm, sealAesGcm } from '#shared/encryption/ciphers/aes-gcm.ts';
import type { EncryptionProvider } from '#shared/encryption/contract/encryption-provider.ts';
import { EnvelopeMetrics } from '#shared/encryption/kms/plugin/envelope-metrics.ts';
import { GrpcServer } from '#shared/grpc/testing/grpc-server.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { kmsV1Methods } from './kms-v1-messages.ts';
import { openKmsV1Provider } from './open-kms-v1-provider.ts';

const key = '/registry/secrets/default/a';
const plain = Buffer.from('a value');
const keyOfPlugin = aesKey(Buffer.alloc(32, 7));

let version = 'v1beta1';
let failing = '';
let calls: string[] = [];
let nowMs = 0;
let server: GrpcServer;
const opened: EncryptionProvider[] = [];

function answer(path: string, message: Buffer): Uint8Array | { code: number; description: string } {
  const method = path.slice(path.lastIndexOf('/') + 1);
  calls.push(method);
  if (method === failing) return { code: 13, description: 'told to fail' };
  if (method === 'Version') return encodeMessage(kmsV1Methods.Version.answer, { version });
  if (method === 'Encrypt') {
    const request = decodeMessage(kmsV1Methods.Encrypt.request, message);
    return encodeMessage(kmsV1Methods.Encrypt.answer, { cipher: sealAesGcm(keyOfPlugin, request.plain, '') });
  }
  const { cipher } = decodeMessage(kmsV1Methods.Decrypt.request, message);
  return encodeMessage(kmsV1Methods.Decrypt.answer, { plain: openAesGcm(keyOfPlugin, cipher, '') });
}

function open(cacheSize = 2): EncryptionProvider {
  const provider = openKmsV1Provider(
    { apiVersion: 'v1', name: 'plugin', endpoint: `unix://${server.socket}`, timeoutMs: 500, cacheSize },
    { metrics: new EnvelopeMetrics('server'), reportError: () => undefined, now: () => nowMs },
  );
  opened.push(provider);
  return provider;
}

beforeEach(async () => {
  [version, failing, calls, nowMs] = ['v1beta1', '', [], 0];
  server = new GrpcServer(answer);
  await server.open();
});

afterEach(async () => {
  for (const provider of opened.splice(0)) provider.close?.();
  await server.close();
});

describe('openKmsV1Provider', () => {
  test('writes each value by a data key of its own, and reads as many without the plugin as it caches', async () => {
    const { transformer } = open(2);
    const stored: Uint8Array[] = [];
    for (let at = 0; at < 3; at++) stored.push(await transformer.toStorage(plain, key));
    assert.deepEqual(calls, ['Version', 'Encrypt', 'Encrypt', 'Encrypt']);
    for (const at of [2, 1, 0]) {
      const { value, isStale } = await transformer.fromStorage(stored[at] as Uint8Array, key);
      assert.deepEqual([Buffer.from(value), isStale], [plain, false]);
    }
    assert.deepEqual(calls.slice(4), ['Decrypt']);
  });

  test('asks the plugin once for readers at the same time, and each time without a cache', async () => {
    const stored = await open().transformer.toStorage(plain, key);
    const { transformer } = open(-1);
    calls = [];
    await Promise.all([1, 2, 3].map(async () => transformer.fromStorage(stored, key)));
    await transformer.fromStorage(stored, key);
    assert.deepEqual(calls, ['Version', 'Decrypt', 'Decrypt']);
  });

  test('reads what was sealed by AES-CBC as stale, and refuses values that are cut, changed or of another key', async () => {
    const { transformer } = open();
    const dataKey = aesKey(Buffer.alloc(32, 1));
    const sealedKey = sealAesGcm(keyOfPlugin, dataKey, '');
    const length = Buffer.from([0, sealedKey.length]);
    const old = Buffer.concat([length, sealedKey, sealAesCbc(dataKey, plain)]);
    assert.deepEqual(await transformer.fromStorage(old, key), { value: plain, isStale: true });
    const cut = 'invalid data encountered by envelope transformer: failed to read uint16 length prefixed data';
    for (const bytes of [Buffer.alloc(0), old.subarray(0, 1), old.subarray(0, 20)])
      assert.throws(() => transformer.fromStorage(bytes, key), { message: cut });
    const stored = await transformer.toStorage(plain, key);
    await assert.rejects(
      async () => transformer.fromStorage(stored, '/registry/secrets/default/b'),
      /message authentication failed/,
    );
  });

  test('encrypts and decrypts for its health, and repeats what was wrong for three seconds', async () => {
    const provider = open();
    failing = 'Decrypt';
    const reason = 'rpc error: code = Internal desc = told to fail';
    const first = `failed to perform decrypt section of the healthz check for KMS Provider plugin, error: ${reason}`;
    assert.equal(await provider.health?.(), first);
    assert.equal(await provider.health?.(), reason);
    failing = '';
    nowMs = 3_001;
    assert.equal(await provider.health?.(), undefined);
    failing = 'Encrypt';
    assert.equal(await provider.health?.(), undefined);
    assert.deepEqual(calls, ['Version', 'Encrypt', 'Decrypt', 'Encrypt', 'Decrypt']);
  });

  test('refuses a plugin of another version', async () => {
    version = 'v2';
    const { transformer } = open();
    await assert.rejects(async () => transformer.toStorage(plain, key), {
      message: 'KMS provider api version v2 is not supported, only v1beta1 is supported now',
    });
  });
});
