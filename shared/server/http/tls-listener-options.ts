import type { SecureVersion } from 'node:tls';
import type { Door } from './door.ts';
import type { NamedCertificate } from './named-certificates.ts';

export interface TlsListenerOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Certificates for host names. Called again with each new certificate. */
  readonly namedCertificates?: () => readonly NamedCertificate[];
  /**
   * CAs whose names are sent to clients so that they can choose a certificate; authentication verifies it. Called again
   * with each new certificate.
   */
  readonly clientCas?: () => readonly (string | Buffer)[];
  /** Default 100, the reference's. */
  readonly maxConcurrentStreams?: number;
  /** HTTP/1.1 only. */
  readonly disableHttp2?: boolean;
  /** Default TLS 1.2. */
  readonly minVersion?: SecureVersion;
  /** Cipher suites for TLS up to 1.2, by their IANA names; default: those of the reference. */
  readonly cipherSuites?: readonly string[];
  /** Key exchanges by Go's numbers; default: those of the reference. */
  readonly keyExchanges?: readonly number[];
  readonly reusePort?: boolean;
  /** The port, if it was opened before; {@link host} and {@link port} are those of the door then. */
  readonly door?: Door;
  /** Connections wait until this resolves. Default: they are served at once. */
  readonly servesAfter?: Promise<unknown>;
  /** Called when no more connections are accepted. */
  readonly onNotAccepting?: (() => void) | undefined;
  /** Called for handshakes that failed, with the peer and the reason. */
  readonly onHandshakeError?: (peer: string, reason: string) => void;
  /** Called for connections that ended because of a fault of this process, with the peer and the reason. */
  readonly onFault?: (peer: string, error: unknown) => void;
}
