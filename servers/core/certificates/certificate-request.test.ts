import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { certificateRequestError } from './certificate-request.ts';

const algorithms = [
  [{ name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }, 'x509: ECDSA verification failure'],
  [{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, 'crypto/rsa: verification error'],
  [{ name: 'Ed25519' }, 'x509: Ed25519 verification failure'],
] as const;

for (const [algorithm, failure] of algorithms) {
  test(`a request is taken when its own ${algorithm.name} key signed it`, async () => {
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey };
    const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=kept', keys, signingAlgorithm: algorithm });
    assert.equal(certificateRequestError(request.toString('pem')), undefined);
    const der = Buffer.from(request.rawData);
    der[der.length - 3] = (der[der.length - 3] ?? 0) ^ 1;
    assert.equal(certificateRequestError(pemOf(der)), failure);
    assert.match(certificateRequestError(pemOf(der.subarray(0, 40))) ?? '', /^asn1: /);
  });
}

test('what is no PEM block is no request', () => {
  for (const text of ['', 'x', '-----BEGIN CERTIFICATE REQUEST-----\na=b\n-----END CERTIFICATE REQUEST-----']) assert.equal(certificateRequestError(text), 'PEM block type must be CERTIFICATE REQUEST');
});

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}
