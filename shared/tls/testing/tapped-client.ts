import { connect as connectNet, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Content types of TLS records (RFC 5246 section 6.2.1). */
const alertRecord = 21;

/** A TLS client of which it is known how its connection ended. node:tls reports every end alike. */
export interface TappedClient {
  readonly tls: TLSSocket;
  /** What was received, decrypted. */
  text(): string;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<'close_notify' | 'end without close_notify' | 'reset'>;
  destroy(): void;
}

/** Speaks TLS 1.2, whose alerts can be told from data without their keys; a server sends no other alert by itself. */
export async function connectTapped(port: number, protocol: 'h2' | 'http/1.1'): Promise<TappedClient> {
  const socket = connectNet(port, '127.0.0.1');
  const records = new RecordTypes();
  socket.on('data', (chunk: Buffer) => records.push(chunk));
  const tls = connectTls({
    socket: throughSocket(socket),
    maxVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    ALPNProtocols: [protocol],
  });
  const chunks: Buffer[] = [];
  tls.on('data', (chunk: Buffer) => chunks.push(chunk));
  tls.on('error', () => undefined);
  const ended = new Promise<'close_notify' | 'end without close_notify' | 'reset'>((resolve) => {
    socket.on('end', () => resolve(records.last === alertRecord ? 'close_notify' : 'end without close_notify'));
    socket.on('error', () => resolve('reset'));
  });
  await new Promise<void>((resolve, reject) => tls.once('secureConnect', resolve).once('error', reject));
  return {
    tls,
    text: () => Buffer.concat(chunks).toString('latin1'),
    ended,
    destroy: () => {
      tls.destroy();
      socket.destroy();
    },
  };
}

/** The bytes of a socket once more, beside those that its own listeners get. */
function throughSocket(socket: Socket): Duplex {
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, () => done()),
    final: (done) => void socket.end(() => done()),
  });
  socket.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) socket.pause();
  });
  socket.on('end', () => duplex.push(null));
  return duplex;
}

/** The content types in a stream of TLS records. */
class RecordTypes {
  last = 0;
  #pending: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 5) {
      const end = 5 + this.#pending.readUInt16BE(3);
      if (this.#pending.length < end) return;
      this.last = this.#pending[0] ?? 0;
      this.#pending = this.#pending.subarray(end);
    }
  }
}
