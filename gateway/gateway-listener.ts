import { readFileSync } from 'node:fs';
import type { Authentication } from '../shared/authentication/create-authenticator.ts';
import type { TlsListenerOptions } from '../shared/server/http/tls-listener.ts';
import type { ServerOptions } from '../shared/server/options/server-options.ts';

/** The public listener that the options ask for. */
export function tlsListenerOptions(options: ServerOptions, authentication: Authentication): TlsListenerOptions {
  return {
    host: options.bindAddress,
    port: options.securePort,
    cert: readFileSync(options.tlsCertFile),
    key: readFileSync(options.tlsPrivateKeyFile),
    clientCas: () => [authentication.clientCa, authentication.requestHeaderCa].flatMap((bundle) => (bundle ? [bundle.pem] : [])),
    disableHttp2: options.disableHttp2Serving,
    reusePort: options.permitPortSharing,
    ...(options.http2MaxStreamsPerConnection > 0 ? { maxConcurrentStreams: options.http2MaxStreamsPerConnection } : {}),
    ...(options.tlsMinVersion === 'VersionTLS13' ? { minVersion: 'TLSv1.3' as const } : {}),
    ...(options.tlsCipherSuites.length > 0 ? { ciphers: options.tlsCipherSuites.join(':') } : {}),
  };
}
