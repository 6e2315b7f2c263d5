import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Listener } from '#shared/server/exchange/listener.ts';
import type { ServingCertificates } from './serving-certificates.ts';

/** Makes new handshakes of a listener use changed certificates and authorities of the files. */
export function renewHandshakes(
  listener: Listener | undefined,
  serving: ServingCertificates,
  { clientCa, requestHeaderCa }: Authentication,
  logger: Logger,
): void {
  const renew = (): void => {
    try {
      listener?.replaceCertificate?.(serving.usual.cert, serving.usual.key);
    } catch (error) {
      logger.error('handshakes stay as they were: the certificate, its key or an authority cannot be used', error);
    }
  };
  serving.onChange(renew);
  for (const bundle of [clientCa, requestHeaderCa]) bundle?.onChange(renew);
}
