import { X509Certificate } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pkiPaths } from '#shared/process/data-directory.ts';
import type { HealthCheck } from '#shared/server/health.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/**
 * The check that fails when a serving certificate which this product made has expired, although it renews such in
 * time. A restart renews it, which is what a probe of /livez leads to. A certificate of the operator's is none of its
 * concern: no restart mends that. The gateway itself is asked through its Unix socket, which needs no certificate.
 * @param current the certificate of new handshakes
 */
export function servingCertificateCheck(
  options: Pick<ServerOptions, 'tlsCertFile' | 'dataDir' | 'certDir'>,
  current: () => string | Buffer,
  now: () => number = Date.now,
): HealthCheck {
  const isOwn = ownCertificates(options).includes(resolve(options.tlsCertFile));
  let known: { readonly pem: string | Buffer; readonly endsMs: number } | undefined;
  return {
    name: 'loopback-serving-certificate',
    endpoints: ['healthz', 'livez'],
    check() {
      if (!isOwn) return undefined;
      const pem = current();
      if (known?.pem !== pem) known = { pem, endsMs: new X509Certificate(pem).validToDate.getTime() };
      return now() > known.endsMs ? 'loopback serving certificate is expired' : undefined;
    },
  };
}

/** Where the launcher puts the certificate that it makes (`servingPair`). */
function ownCertificates({ dataDir, certDir }: Pick<ServerOptions, 'dataDir' | 'certDir'>): string[] {
  return [pkiPaths(join(resolve(dataDir), 'pki')).servingCert, join(resolve(certDir), 'apiserver.crt')];
}
