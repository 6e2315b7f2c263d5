import type { Socket } from 'node:net';
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';

/** What all requests of one connection share. The certificate is decoded once, so its identity can key caches. */
export class PeerConnection {
  readonly remoteAddress: string;
  /** Requests being served. */
  active = 0;
  readonly #socket: Socket;
  #certificate: DetailedPeerCertificate | undefined;
  #asked = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress ?? '';
  }

  peerCertificate(): DetailedPeerCertificate | undefined {
    if (!this.#asked) {
      this.#asked = true;
      const certificate = this.#socket instanceof TLSSocket ? this.#socket.getPeerCertificate(true) : undefined;
      if (certificate && Object.hasOwn(certificate, 'raw')) this.#certificate = certificate;
    }
    return this.#certificate;
  }
}
