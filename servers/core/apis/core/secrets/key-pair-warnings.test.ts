import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { keyPairFault } from './key-pair-warnings.ts';

const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
const block = (type: string, body: string): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const fault = (certificates: string, keys: string): string | undefined =>
  keyPairFault(Buffer.from(certificates), Buffer.from(keys));

// Words recorded from kube-apiserver v1.36.3; the live comparison, with real certificates, is
// test/conformance/series/tls-secrets.ts.
const faults: readonly (readonly [certificates: string, keys: string, fault: string])[] = [
  ['', '', 'tls: failed to find any PEM data in certificate input'],
  [
    key,
    '',
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    block('A', 'AAAA') + block('B', 'AAAA'),
    key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
  ],
  [block('CERTIFICATE', 'AAAA'), '', 'tls: failed to find any PEM data in key input'],
  [
    block('CERTIFICATE', 'AAAA'),
    block('CERTIFICATE', 'AAAA'),
    'tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [block('CERTIFICATE', 'AAAA'), key, 'x509: malformed certificate'],
  [block('CERTIFICATE', 'MAA='), key, 'x509: malformed tbs certificate'],
];
describe('keyPairFault', () => {
  for (const [certificates, keys, words] of faults)
    test(`returns "${words}"`, () => assert.equal(fault(certificates, keys), words));

  test('scans 100,000 END lines without a BEGIN line in one pass', () => {
    assert.equal(fault('\n-----END '.repeat(100_000), key), 'tls: failed to find any PEM data in certificate input');
  });
});
