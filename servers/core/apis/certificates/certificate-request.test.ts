import 'reflect-metadata';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { certificateRequestError } from './certificate-request.ts';
import recorded from './testdata/broken-requests.json' with { type: 'json' };

const algorithms = [
  [{ name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }, 'x509: ECDSA verification failure'],
  [
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    'crypto/rsa: verification error',
  ],
  [{ name: 'Ed25519' }, 'x509: Ed25519 verification failure'],
] as const;

describe('certificateRequestError', () => {
  for (const [algorithm, failure] of algorithms) {
    test(`accepts a request signed with its own ${algorithm.name} key and refuses a changed signature`, async () => {
      const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as {
        readonly publicKey: CryptoKey;
        readonly privateKey: CryptoKey;
      };
      const request = await Pkcs10CertificateRequestGenerator.create({
        name: 'CN=kept',
        keys,
        signingAlgorithm: algorithm,
      });
      assert.equal(certificateRequestError(request.toString('pem')), undefined);
      const der = Buffer.from(request.rawData);
      der[der.length - 3] = (der[der.length - 3] ?? 0) ^ 1;
      assert.equal(certificateRequestError(pemOf(der)), failure);
      assert.match(certificateRequestError(pemOf(der.subarray(0, 40))) ?? '', /^asn1: /);
    });
  }

  test('returns the error texts of crypto/x509 for malformed DER', () => {
    for (const [der, message] of Object.entries(recorded))
      assert.equal(certificateRequestError(pemOf(Buffer.from(der, 'hex'))), message, der);
  });

  test('refuses text without a CERTIFICATE REQUEST block', () => {
    for (const text of ['', 'x', '-----BEGIN CERTIFICATE REQUEST-----\na=b\n-----END CERTIFICATE REQUEST-----'])
      assert.equal(certificateRequestError(text), 'PEM block type must be CERTIFICATE REQUEST');
  });

  test('distinguishes a point off the curve, a malformed point and an unknown curve', async () => {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, true, ['sign', 'verify']);
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: 'CN=kept',
      keys,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-384' },
    });
    const changed = (at: string, offset: number): string | undefined => {
      const der = Buffer.from(request.rawData);
      const byte = der.indexOf(Buffer.from(at, 'hex')) + offset;
      der[byte] = (der[byte] ?? 0) ^ 1;
      return certificateRequestError(pemOf(der));
    };
    // Behind the curve's identifier stand the head of the bit string and the point.
    const curve = '06052b81040022';
    assert.equal(changed(curve, 7 + 3 + 20), 'P384 point not on curve');
    assert.equal(changed(curve, 7 + 3), 'ecdsa: invalid uncompressed public key');
    assert.equal(changed(curve, 5), 'x509: unsupported elliptic curve');
  });
});

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}
