import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import { limitErrorRate } from '#shared/observability/limit-error-rate.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { TlsListenerOptions } from '#shared/server/http/tls-listener-options.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { ServingCertificates } from './serving-certificates.ts';

/** Options of the public TLS listener, from the server options. */
export function tlsListenerOptions(
  options: ServerOptions,
  authentication: Authentication,
  serving: ServingCertificates,
  logger: Logger,
): TlsListenerOptions {
  const tell = limitErrorRate((message, error) => logger.error(message, error));
  return {
    host: options.bindAddress,
    port: options.securePort,
    ...serving.usual,
    ...(serving.hasNamed ? { namedCertificates: () => serving.named } : {}),
    clientCas: () =>
      [authentication.clientCa, authentication.requestHeaderCa].flatMap((bundle) => (bundle ? [bundle.pem] : [])),
    disableHttp2: options.disableHttp2Serving,
    ...(options.http2MaxStreamsPerConnection > 0 ? { maxConcurrentStreams: options.http2MaxStreamsPerConnection } : {}),
    ...(options.tlsMinVersion === 'VersionTLS13' ? { minVersion: 'TLSv1.3' as const } : {}),
    cipherSuites: options.tlsCipherSuites,
    keyExchanges: options.tlsCurvePreferences,
    onHandshakeError: (peer, reason) => tell(`http: TLS handshake error from ${peer}`, reason),
    onFault: (peer, error) => logger.error(`http2: the connection from ${peer} was ended by a fault`, error),
  };
}
