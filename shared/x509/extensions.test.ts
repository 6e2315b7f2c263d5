import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { DerError, DerReader } from './der.ts';
import { readExtensions, type CertificateExtensions } from './extensions.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** DER of a type with contents of less than 128 bytes. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  assert.ok(content.length < 128);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/** An extension 2.5.29.`id`, critical or not. */
function extension(id: number, value: string, isCritical = false): Buffer {
  const critical = isCritical ? hex('0101ff') : hex('');
  return der(0x30, hex('0603551d'), Buffer.from([id]), critical, der(0x04, hex(value)));
}

const read = (...extensions: readonly Buffer[]): CertificateExtensions =>
  readExtensions(new DerReader(der(0xa3, der(0x30, ...extensions))), true);

// RFC 5280 section 4.2.1.3; bits count from the highest of the first byte, and the first byte says how many are unused.
describe('key usage', () => {
  for (const [name, value, maySign] of [
    ['keyCertSign alone', '0302 02 04', true],
    ['keyCertSign and cRLSign', '0302 01 06', true],
    ['cRLSign alone', '0302 01 02', false],
    ['keyAgreement alone', '0302 03 08', false],
    ['decipherOnly alone', '0303 07 0080', false],
    // Go reads a usage without bits as none (crypto/x509 parseKeyUsageExtension and checkSignatureFrom).
    ['no bit', '0302 07 00', undefined],
    ['an empty bit string', '0301 00', undefined],
  ] as const) {
    const outcome = maySign === undefined ? 'does not restrict' : maySign ? 'allows' : 'forbids';
    test(`${outcome} the signing of certificates with ${name}`, () => {
      assert.equal(read(extension(0x0f, value)).maySignCertificates, maySign);
    });
  }

  test('does not restrict the signing of certificates when it is missing', () => {
    assert.equal(read(extension(0x13, '3000')).maySignCertificates, undefined);
  });
});

// RFC 5280 section 4.2.1.9.
describe('basic constraints', () => {
  for (const [name, value, expected] of [
    ['nothing', '3000', { isAuthority: false, pathLength: undefined }],
    ['cA', '3003 0101ff', { isAuthority: true, pathLength: undefined }],
    ['a path length of 0', '3006 0101ff 020100', { isAuthority: true, pathLength: 0 }],
    ['a path length of 3', '3006 0101ff 020103', { isAuthority: true, pathLength: 3 }],
    ['a path length of 2^63-1', '300d 0101ff 02087fffffffffffffff', { isAuthority: true, pathLength: 2 ** 63 }],
  ] as const) {
    test(`are read with ${name}`, () => assert.deepEqual(read(extension(0x13, value)).basicConstraints, expected));
  }

  for (const [name, value] of [
    ['a path length of -1', '3006 0101ff 0201ff'],
    ['a path length of 2^63', '300e 0101ff 0209008000000000000000'],
    ['a boolean of 1', '3003 010101'],
  ] as const) {
    test(`are refused with ${name}`, () => assert.throws(() => read(extension(0x13, value)), DerError));
  }
});

describe('extended key usage', () => {
  test('is read as identifiers, and is empty when it is missing', () => {
    assert.deepEqual(read(extension(0x25, '3010 06082b06010505070302 0604551d2500')).extendedKeyUsages, [
      '2b06010505070302',
      '551d2500',
    ]);
    assert.deepEqual(read().extendedKeyUsages, []);
  });
});

describe('critical extensions', () => {
  test('are unknown when their identifier is, and only when they are critical', () => {
    assert.equal(read(extension(0x7f, '3000')).hasUnknownCritical, false);
    assert.equal(read(extension(0x7f, '3000', true)).hasUnknownCritical, true);
  });

  test('are known for key usage, basic constraints and alternative names that are read', () => {
    const names = extension(0x11, '3003 820161', true);
    assert.equal(
      read(extension(0x0f, '03020204', true), extension(0x13, '3000', true), names).hasUnknownCritical,
      false,
    );
  });

  test('are unknown for alternative names of kinds that are not read', () => {
    assert.equal(read(extension(0x11, '3003 880161', true)).hasUnknownCritical, true);
    assert.equal(read(extension(0x11, '3003 880161')).hasUnknownCritical, false);
  });

  for (const [name, id] of [
    ['a subject key identifier', 0x0e],
    ['an authority key identifier', 0x23],
  ] as const) {
    test(`may not be ${name}`, () => {
      assert.doesNotThrow(() => read(extension(id, id === 0x0e ? '040101' : '3000')));
      assert.throws(() => read(extension(id, id === 0x0e ? '040101' : '3000', true)), DerError);
    });
  }
});

describe('readExtensions', () => {
  test('refuses an extension that is there twice', () => {
    assert.throws(() => read(extension(0x13, '3000'), extension(0x13, '3000')), DerError);
  });

  test('ignores extensions before version 3', () => {
    const { basicConstraints } = readExtensions(new DerReader(der(0xa3, der(0x30, extension(0x13, '3000')))), false);
    assert.equal(basicConstraints, undefined);
  });

  test('reads both key identifiers', () => {
    const { subjectKeyId, authorityKeyId } = read(extension(0x0e, '0402 0102'), extension(0x23, '3004 8002 0304'));
    assert.deepEqual([subjectKeyId, authorityKeyId], [hex('0102'), hex('0304')]);
  });
});
