import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * The state that all requests of one connection share. The certificates are read once, so that results of their
 * verification can be cached by the array.
 */
export class PeerConnection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** Requests being served. */
  active = 0;
  readonly #socket: Socket;
  #certificates: readonly Buffer[] | undefined;
  #asked = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.remotePort = socket.remotePort ?? 0;
  }

  peerCertificates(): readonly Buffer[] | undefined {
    if (!this.#asked) {
      this.#asked = true;
      // `instanceof` would load `node:tls` in a process that has no TLS.
      if (isTls(this.#socket)) this.#certificates = sentCertificates(this.#socket);
    }
    return this.#certificates;
  }
}

function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}

/**
 * All certificates that the peer sent, in its order and in DER. `getPeerCertificate` would leave out those that OpenSSL
 * does not accept as issuers of one another.
 */
export function sentCertificates(socket: TLSSocket): readonly Buffer[] | undefined {
  const sent: Buffer[] = [];
  for (
    let one: X509Certificate | undefined = socket.getPeerX509Certificate();
    one !== undefined;
    one = one.issuerCertificate
  )
    sent.push(one.raw);
  return sent.length === 0 ? undefined : sent;
}
