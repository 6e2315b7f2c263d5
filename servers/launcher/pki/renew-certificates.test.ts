import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { ensureCertificates, nextRenewal } from './pki.ts';
import { renewCertificates } from './renew-certificates.ts';

const day = 86_400_000;

describe('renewCertificates', () => {
  test('renews certificates sixty days before they expire and keeps the CAs', { timeout: 20_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'renewal-'));
    const paths = pkiPaths(join(folder, 'pki'));
    try {
      const made = Date.now();
      ensureCertificates(paths, ['localhost'], new Date(made));
      const [authority, before] = [readFileSync(paths.caCert, 'utf8'), readFileSync(paths.servingCert, 'utf8')];
      // Their times are whole seconds.
      assert.ok(Math.abs(nextRenewal(paths) - (made + (365 - 60) * day)) < 2 * day);
      // A year passes but for two seconds.
      const shift = nextRenewal(paths) - Date.now() - 2000;
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      const startedMs = performance.now();
      const stop = renewCertificates(paths, ['localhost'], resolve, reject, () => new Date(Date.now() + shift));
      const files = await promise;
      stop();
      assert.ok(performance.now() - startedMs > 1500, 'not before it is due');
      assert.deepEqual(files.map((file) => basename(file)).toSorted(), [
        'admin.crt',
        'apiserver-kubelet-client.crt',
        'apiserver.crt',
        'backend.crt',
        'front-proxy-client.crt',
        'monitoring.crt',
      ]);
      assert.equal(readFileSync(paths.caCert, 'utf8'), authority);
      const after = readFileSync(paths.servingCert, 'utf8');
      assert.notEqual(after, before);
      assert.ok(new X509Certificate(after).verify(new X509Certificate(authority).publicKey));
      assert.ok(nextRenewal(paths) > Date.now() + shift + 300 * day);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('looks at the certificates at once when the clock is set', (t) => {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    const folder = mkdtempSync(join(tmpdir(), 'renewal-'));
    const paths = pkiPaths(join(folder, 'pki'));
    const looks: string[] = [];
    let shiftMs = 0;
    try {
      ensureCertificates(paths, ['localhost']);
      const stop = renewCertificates(
        paths,
        ['localhost'],
        (files) => looks.push(`renewed ${files.length}`),
        (error) => looks.push(error.message.replace(/^.* (?=set the clock)/, '')),
        () => new Date(Date.now() + shiftMs),
      );
      t.mock.timers.tick(5_000);
      shiftMs = 400 * day;
      t.mock.timers.tick(5_000);
      shiftMs = -5 * 365 * day;
      t.mock.timers.tick(5_000);
      stop();
      assert.equal(looks.length, 2, looks.join('\n'));
      assert.equal(looks[0], 'renewed 6');
      assert.match(looks[1] ?? '', /^set the clock; if it is right, remove /);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
