import { constants as cryptoConstants, X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  createSecureContext,
  createServer,
  type SecureContext,
  type SecureContextOptions,
  type Server,
} from 'node:tls';
import { openSslCiphers } from './cipher-suites.ts';
import { openSslGroups } from './key-exchanges.ts';
import { limits } from './limits.ts';
import { NamedCertificates, type NamedCertificate } from './named-certificates.ts';
import { offeredAuthorities } from './offered-authorities.ts';
import type { TlsListenerOptions } from './tls-listener-options.ts';

interface Pair {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

interface Named extends NamedCertificate {
  readonly context: SecureContext;
}

/** The certificates for handshakes until the next change. */
interface Certificates {
  readonly usual: X509Certificate;
  readonly usualContext: SecureContext;
  readonly named: NamedCertificates<Named>;
}

/**
 * The TLS servers of one listener: the default one, and one for each address that has a certificate of its own, since
 * Node.js asks for another certificate only if the client sends a host name. All of them choose by host name in the
 * same way.
 */
export class TlsServers {
  readonly #options: TlsListenerOptions;
  readonly #onServer: (server: Server) => void;
  readonly #usual: Server;
  #certificates: Certificates | undefined;
  #byAddress: ReadonlyMap<string, Server> = new Map();

  constructor(options: TlsListenerOptions, onServer: (server: Server) => void) {
    this.#options = options;
    this.#onServer = onServer;
    this.#usual = this.#createServer(options);
    this.#choose(options);
  }

  /** Begins TLS on a connection. */
  accept(socket: Socket): void {
    const named =
      this.#byAddress.size === 0 ? undefined : this.#byAddress.get((socket.localAddress ?? '').replace(/^::ffff:/, ''));
    (named ?? this.#usual).emit('connection', socket);
  }

  /**
   * Uses the pair for new handshakes, and reads the certificates for host names again. If one of them cannot be used,
   * it throws and changes nothing.
   */
  replaceCertificate(cert: string | Buffer, key: string | Buffer): void {
    this.#choose({ cert, key });
    this.#usual.setSecureContext(secureOptions(this.#options, { cert, key }));
  }

  #choose(pair: Pair): void {
    const all = this.#options.namedCertificates?.() ?? [];
    if (all.length === 0) return;
    const contextOf = (one: Pair): SecureContext => createSecureContext(secureOptions(this.#options, one));
    const named = new NamedCertificates(all.map((one) => ({ ...one, context: contextOf(one) })));
    this.#certificates = { usual: new X509Certificate(pair.cert), usualContext: contextOf(pair), named };
    this.#byAddress = new Map([...named.byAddress()].map(([address, one]) => [address, this.#createServer(one)]));
  }

  #createServer({ cert, key }: Pair): Server {
    const { disableHttp2 } = this.#options;
    const server = createServer({
      ...secureOptions(this.#options, { cert, key }),
      requestCert: true,
      rejectUnauthorized: false,
      ALPNProtocols: disableHttp2 === true ? ['http/1.1'] : ['h2', 'http/1.1'],
      handshakeTimeout: limits.handshakeMs,
      ...(this.#options.namedCertificates === undefined
        ? {}
        : {
            SNICallback: (host: string, done: (error: Error | null, context?: SecureContext) => void) =>
              done(null, this.#contextFor(host)),
          }),
    });
    this.#onServer(server);
    return server;
  }

  /** The certificate for a host name; undefined means that of the server. */
  #contextFor(host: string): SecureContext | undefined {
    if (this.#certificates === undefined) return undefined;
    const { named, usual, usualContext } = this.#certificates;
    return named.forHost(host, usual)?.context ?? usualContext;
  }
}

function secureOptions(options: TlsListenerOptions, { cert, key }: Pair): SecureContextOptions {
  return {
    cert,
    key,
    // An empty list also spares the parsing of the system's root certificates.
    ca: offeredAuthorities(options.clientCas?.() ?? []),
    minVersion: options.minVersion ?? 'TLSv1.2',
    // No session tickets: a resumed session would lack the chain of the client's certificate.
    secureOptions: cryptoConstants.SSL_OP_NO_TICKET,
    ciphers: openSslCiphers(options.cipherSuites ?? []),
    ecdhCurve: openSslGroups(options.keyExchanges ?? []),
  };
}
