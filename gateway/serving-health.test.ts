import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { servingCertificateCheck } from './serving-health.ts';

describe('health check loopback-serving-certificate', () => {
  const own = { dataDir: '/data', certDir: '/certs', tlsCertFile: '/data/pki/apiserver.crt' };

  test('fails after the end of the certificate that the launcher made, until that was renewed', async () => {
    const authority = await createTestCa();
    const first = await authority.issue('CN=first', 'server', new Date('2030-01-01T00:00:00Z'));
    const second = await authority.issue('CN=second', 'server', new Date('2031-01-01T00:00:00Z'));
    let [pem, now] = [first.cert, Date.parse('2029-12-31T00:00:00Z')];
    const { check } = servingCertificateCheck(
      own,
      () => pem,
      () => now,
    );
    assert.equal(check(), undefined);
    now = Date.parse('2030-06-01T00:00:00Z');
    // The reference's text (server/options/serving_with_loopback.go).
    assert.equal(check(), 'loopback serving certificate is expired');
    pem = second.cert;
    assert.equal(check(), undefined);
  });

  test("passes whatever an operator's certificate says, at /healthz and /livez alone", async () => {
    const { cert } = await (await createTestCa()).issue('CN=a', 'server', new Date(0));
    const { check, endpoints } = servingCertificateCheck({ ...own, tlsCertFile: '/mine.crt' }, () => cert);
    assert.equal(check(), undefined);
    assert.deepEqual(endpoints, ['healthz', 'livez']);
  });
});
