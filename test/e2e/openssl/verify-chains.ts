import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificates } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';

/** The certificates that the launcher makes, judged by OpenSSL under its strict X.509 rules: needs `openssl`. */
const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-openssl-'));
try {
  const paths = pkiPaths(join(directory, 'pki'));
  ensureCertificates(paths, ['localhost', '127.0.0.1']);
  for (const [authority, purpose, certificate] of [
    [paths.caCert, 'sslserver', paths.servingCert],
    [paths.caCert, 'sslclient', paths.adminCert],
    [paths.caCert, 'sslclient', paths.kubeletClientCert],
    [paths.frontProxyCaCert, 'sslclient', paths.frontProxyClientCert],
  ] as const) {
    const said = execFileSync(
      'openssl',
      ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', authority, certificate],
      { encoding: 'utf8' },
    );
    if (!/: OK/.test(said)) throw new Error(said);
    process.stdout.write(`${purpose}: OK\n`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
