import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, test } from 'node:test';
import { DerError } from './der.ts';
import { readPublicKey, type PublicKey } from './public-key.ts';

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const curveKey = (namedCurve: string): Buffer => spki(generateKeyPairSync('ec', { namedCurve }).publicKey);
const rsaKey = spki(generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey);
const ed25519Key = spki(generateKeyPairSync('ed25519').publicKey);
const read = (der: Buffer): PublicKey => readPublicKey(der) as PublicKey;

/** The bytes with one of them changed. */
function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

describe('readPublicKey', () => {
  for (const [curve, name] of [
    ['secp224r1', 'P-224'],
    ['prime256v1', 'P-256'],
    ['secp384r1', 'P-384'],
    ['secp521r1', 'P-521'],
  ] as const) {
    test(`reads an ECDSA key of ${name}`, () => {
      const { kind, curve: found } = read(curveKey(curve));
      assert.deepEqual([kind, found], ['ecdsa', name]);
    });
  }

  test('reads modulus and exponent of an RSA key', () => {
    const { kind, modulus, modulusBits, exponent } = read(rsaKey);
    assert.deepEqual([kind, modulusBits, exponent, modulus.toString(2).length], ['rsa', 1_024, 65_537n, 1_024]);
  });

  test('reads an Ed25519 key', () => assert.equal(read(ed25519Key).kind, 'ed25519'));

  test('gives equal keys equal bytes', () => {
    assert.deepEqual(read(rsaKey).der, rsaKey);
    assert.deepEqual(read(ed25519Key).der, ed25519Key);
  });

  test('refuses a curve that Go does not know', () => {
    assert.throws(() => readPublicKey(curveKey('secp256k1')), DerError);
  });

  test('refuses a point that is compressed, or not on its curve', () => {
    const key = curveKey('prime256v1');
    const point = key.length - 65;
    assert.throws(() => readPublicKey(changed(key, point, 2)), DerError);
    assert.throws(() => readPublicKey(changed(key, key.length - 1, (key.at(-1) as number) ^ 1)), DerError);
  });

  test('returns unused for X25519, and unknown for a type without meaning', () => {
    const identifier = ed25519Key.indexOf(Buffer.from('2b6570', 'hex'));
    assert.equal(readPublicKey(changed(ed25519Key, identifier + 2, 0x6e)), 'unused');
    assert.equal(readPublicKey(changed(ed25519Key, identifier + 2, 0x01)), 'unknown');
  });

  test('refuses an Ed25519 key of 31 bytes, and one with parameters', () => {
    const key = ed25519Key.subarray(12);
    const info = (algorithm: string, bits: Buffer): Buffer => {
      const content = Buffer.concat([Buffer.from(algorithm, 'hex'), Buffer.from([3, bits.length + 1, 0]), bits]);
      return Buffer.concat([Buffer.from([0x30, content.length]), content]);
    };
    assert.equal(read(info('300506032b6570', key)).kind, 'ed25519');
    assert.throws(() => readPublicKey(info('300506032b6570', key.subarray(1))), DerError);
    assert.throws(() => readPublicKey(info('300706032b65700500', key)), DerError);
  });
});
