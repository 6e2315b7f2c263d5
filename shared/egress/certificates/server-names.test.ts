import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PeerCertificate } from 'node:tls';
import { checkServerNames } from './server-names.ts';

function verdict(host: string, subjectaltname?: string): string | undefined {
  const certificate = { subject: { CN: 'webhook.example' }, subjectaltname } as unknown as PeerCertificate;
  return checkServerNames(host, certificate)?.message;
}

// The text is that of Go's crypto/x509 (HostnameError).
describe('checkServerNames', () => {
  test('takes alternative names, and no common name', () => {
    assert.equal(verdict('webhook.example', 'DNS:webhook.example'), undefined);
    assert.match(verdict('webhook.example', 'DNS:other.example') ?? '', /altnames/);
    assert.match(
      verdict('webhook.example') ?? '',
      /x509: certificate relies on legacy Common Name field, use SANs instead$/,
    );
  });
});
