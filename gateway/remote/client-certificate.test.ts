import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createTestCa, type TestCertificate } from '#shared/server/testing/certificates.ts';
import { ClientCertificate } from './client-certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-certificate-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [cert, key] = [join(folder, 'front.crt'), join(folder, 'front.key')];

const ca = await createTestCa();
const [one, two] = [await ca.issue('CN=one'), await ca.issue('CN=two')];

function write(pair: TestCertificate): void {
  writeFileSync(cert, pair.cert);
  writeFileSync(key, pair.key);
}

describe('ClientCertificate', () => {
  test('waits for a missing file, and switches to a replaced pair once key and certificate match', async () => {
    let changed = Promise.withResolvers<void>();
    const certificate = new ClientCertificate(cert, key, () => {
      if (certificate.current?.key === expected) changed.resolve();
    });
    let expected = one.key;
    await assert.rejects(certificate.start(), { code: 'ENOENT' });
    const current = (): string | undefined => certificate.current?.key;
    assert.equal(current(), undefined);
    write(one);
    await changed.promise;
    changed = Promise.withResolvers<void>();
    expected = two.key;
    writeFileSync(key, two.key);
    await new Promise((resolve) => setTimeout(resolve, 120));
    assert.deepEqual(certificate.current, one);
    writeFileSync(cert, two.cert);
    await changed.promise;
    assert.deepEqual(certificate.current, two);
    rmSync(key);
    await new Promise((resolve) => setTimeout(resolve, 120));
    assert.equal(current(), two.key);
    certificate.close();
  });

  test('is not configured without files', async () => {
    const certificate = new ClientCertificate('', '', () => assert.fail());
    await certificate.start();
    assert.deepEqual([certificate.configured, certificate.current], [false, undefined]);
  });
});
