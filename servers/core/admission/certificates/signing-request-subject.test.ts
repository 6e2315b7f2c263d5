import 'reflect-metadata';
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { describe, test } from 'node:test';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import recorded from '#servers/core/apis/certificates/testdata/broken-requests.json' with { type: 'json' };
import { requestSubject } from './signing-request-subject.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

async function requestFor(name: string): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return (
    await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: algorithm }, webcrypto)
  ).toString('pem');
}

const inField = (pem: string): string => Buffer.from(pem).toString('base64');

describe('requestSubject', () => {
  test('returns all organizations and the last common name of the certificate request', async () => {
    const pem = await requestFor('O=dev, O=system:masters, CN=first, CN=last');
    assert.deepEqual(requestSubject(inField(pem)), { organizations: ['dev', 'system:masters'], commonName: 'last' });
  });

  test('refuses text whose first PEM block is not a certificate request', async () => {
    const pem = await requestFor('O=dev, CN=a');
    const behindAnother = `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n${pem}`;
    assert.equal(requestSubject(inField(behindAnother)), 'PEM block type must be CERTIFICATE REQUEST');
    assert.equal(requestSubject(inField('no request')), 'PEM block type must be CERTIFICATE REQUEST');
  });

  test('returns the parse error of the reference for a malformed certificate request', () => {
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n';
    assert.equal(requestSubject(inField(pem)), recorded['3000']);
  });
});
