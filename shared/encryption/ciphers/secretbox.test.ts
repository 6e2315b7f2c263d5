import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { openSecretbox, sealSecretbox } from './secretbox.ts';

const key = randomBytes(32);
/** Around the ends of a block, of a chunk, and of what is encrypted at once; the last is the most that etcd takes. */
const lengths = [0, 1, 16, 31, 32, 33, 63, 64, 65, 16_351, 16_352, 16_353, 16_384, 65_496, 65_537, 1_572_864];

/** By the library's function for whole values. */
const openedWhole = (sealed: Uint8Array): Uint8Array =>
  xsalsa20poly1305(key, sealed.subarray(0, 24)).decrypt(sealed.subarray(24));

describe('secretbox', () => {
  for (const length of lengths)
    test(`seals ${length} bytes as the whole value is sealed, and opens them`, async () => {
      const plain = randomBytes(length);
      const sealed = await sealSecretbox(key, plain);
      assert.ok(plain.equals(openedWhole(sealed)));
      assert.ok(plain.equals(await openSecretbox(key, sealed)));
    });

  test('encrypts short values at once', () => {
    const sealed = sealSecretbox(key, Buffer.from('short'));
    assert.ok(!(sealed instanceof Promise));
    assert.equal(String(openSecretbox(key, sealed)), 'short');
  });

  for (const length of [5, 200_000])
    for (const at of [0, 24, 44])
      test(`refuses ${length} sealed bytes of which byte ${at} changed`, async () => {
        const sealed = await sealSecretbox(key, randomBytes(length));
        sealed[at] = (sealed[at] ?? 0) ^ 1;
        const message = 'output array was not large enough for encryption';
        await assert.rejects(async () => openSecretbox(key, sealed), { message });
      });

  test('takes the bytes of a large value before it yields', async () => {
    const plain = Buffer.alloc(1_500_000, 'a');
    const sealing = sealSecretbox(key, plain);
    plain.fill('b');
    const sealed = await sealing;
    const opening = openSecretbox(key, sealed);
    sealed.fill(0);
    assert.ok((await opening).equals(Buffer.alloc(1_500_000, 'a')));
  });
});
