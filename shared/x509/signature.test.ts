import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { DerError } from './der.ts';
import type { PublicKey } from './public-key.ts';
import { isSignedBy, readSignatureAlgorithm } from './signature.ts';

/** An AlgorithmIdentifier of an object identifier in hexadecimal, with parameters. */
function algorithm(identifier: string, parameters = ''): Buffer {
  const id = Buffer.from(identifier, 'hex');
  const content = Buffer.concat([Buffer.from([0x06, id.length]), id, Buffer.from(parameters, 'hex')]);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

const nullParameters = '0500';

describe('readSignatureAlgorithm', () => {
  // RFC 5758, RFC 4055 and RFC 8410.
  for (const [name, der, kind, hash] of [
    ['ecdsa-with-SHA256', algorithm('2a8648ce3d040302'), 'ecdsa', 'sha256'],
    ['ecdsa-with-SHA384', algorithm('2a8648ce3d040303'), 'ecdsa', 'sha384'],
    ['ecdsa-with-SHA512', algorithm('2a8648ce3d040304'), 'ecdsa', 'sha512'],
    ['sha256WithRSAEncryption', algorithm('2a864886f70d01010b', nullParameters), 'rsa', 'sha256'],
    ['sha384WithRSAEncryption', algorithm('2a864886f70d01010c', nullParameters), 'rsa', 'sha384'],
    ['sha512WithRSAEncryption', algorithm('2a864886f70d01010d', nullParameters), 'rsa', 'sha512'],
    ['Ed25519', algorithm('2b6570'), 'ed25519', null],
  ] as const) {
    test(`reads ${name}`, () => assert.deepEqual(readSignatureAlgorithm(der), { kind, hash, isPss: false }));
  }

  for (const [name, der] of [
    ['md5WithRSAEncryption', algorithm('2a864886f70d010104', nullParameters)],
    ['sha1WithRSAEncryption', algorithm('2a864886f70d010105', nullParameters)],
    ['sha224WithRSAEncryption', algorithm('2a864886f70d01010e', nullParameters)],
    ['ecdsa-with-SHA1', algorithm('2a8648ce3d0401')],
    ['ecdsa-with-SHA224', algorithm('2a8648ce3d040301')],
    ['id-dsa-with-sha256', algorithm('608648016503040302')],
    ['Ed25519 with parameters', algorithm('2b6570', nullParameters)],
    ['Ed448', algorithm('2b6571')],
    ['RSASSA-PSS without parameters', algorithm('2a864886f70d01010a')],
  ] as const) {
    test(`does not know ${name}`, () => assert.equal(readSignatureAlgorithm(der), undefined));
  }

  // RFC 4055 section 3.1: hash and mask by SHA-256, salt of 32 bytes.
  const sha256 = '300b0609608648016503040201';
  const pss = (mask: string, salt: string, more = ''): Buffer => {
    const mgf1 = `06092a864886f70d010108${mask}`;
    const fields = [
      `a00d${sha256}`,
      `a1${(mgf1.length / 2 + 2).toString(16)}30${(mgf1.length / 2).toString(16)}${mgf1}`,
      `a203${salt}`,
      more,
    ].join('');
    return algorithm('2a864886f70d01010a', `30${(fields.length / 2).toString(16)}${fields}`);
  };

  test('reads RSASSA-PSS of one hash with a salt of its length', () => {
    const expected = { kind: 'rsa', hash: 'sha256', isPss: true };
    assert.deepEqual(readSignatureAlgorithm(pss(sha256, '020120')), expected);
    assert.deepEqual(readSignatureAlgorithm(pss(sha256, '020120', 'a303020101')), expected);
  });

  for (const [name, der] of [
    ['a salt one byte shorter', pss(sha256, '02011f')],
    ['a salt one byte longer', pss(sha256, '020121')],
    ['a mask by another hash', pss('300b0609608648016503040202', '020120')],
    ['another trailer', pss(sha256, '020120', 'a303020102')],
  ] as const) {
    test(`does not know RSASSA-PSS with ${name}`, () => assert.equal(readSignatureAlgorithm(der), undefined));
  }

  test('throws for bytes that are no algorithm', () => {
    assert.throws(() => readSignatureAlgorithm(Buffer.from([0x30, 0])), DerError);
    assert.throws(() => readSignatureAlgorithm(Buffer.concat([algorithm('2b6570'), Buffer.from([0])])), DerError);
  });
});

describe('isSignedBy', () => {
  test('is false for a key of another kind than the algorithm', async () => {
    const key = { kind: 'ecdsa' } as PublicKey;
    assert.equal(
      await isSignedBy({ kind: 'rsa', hash: 'sha256', isPss: false }, Buffer.alloc(1), Buffer.alloc(1), key),
      false,
    );
    assert.equal(await isSignedBy(undefined, Buffer.alloc(1), Buffer.alloc(1), key), false);
  });
});
