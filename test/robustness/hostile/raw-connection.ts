import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';

/** A server may leave bytes unread; then the flood goes on into memory of the test. */
const roomMs = 500;

/** What came back on a connection that was spoken to in bytes. */
export interface RawAnswer {
  readonly text: string;
  /** Of the first answer; 0 when none came. */
  readonly status: number;
  /** The server ended the connection before the patience did. */
  readonly closed: boolean;
}

/** Opens a TLS connection whose protocol is the caller's affair; certificates are not looked at. */
export function openRaw(url: string, protocol: 'http/1.1' | 'h2'): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: hostname, port: Number(port), rejectUnauthorized: false, ALPNProtocols: [protocol] },
      () => {
        socket.off('error', reject).on('error', () => undefined);
        resolve(socket);
      },
    );
    socket.once('error', reject);
  });
}

/** Writes bytes of HTTP/1.1 and reads until the server closes, or an answer came and `patienceMs` passed in silence. */
export async function sendRaw(url: string, bytes: string | Uint8Array, patienceMs = 3_000): Promise<RawAnswer> {
  const socket = await openRaw(url, 'http/1.1');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ text, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), closed });
    };
    const timer = setTimeout(() => done(false), patienceMs);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      timer.refresh();
    });
    socket.on('close', () => done(true));
    socket.write(bytes);
  });
}

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const http2Preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0)]);

/** Writes, and waits for room where there is none; false when the connection is over. */
export async function writeOn(socket: TLSSocket, bytes: Uint8Array): Promise<boolean> {
  if (socket.destroyed) return false;
  if (socket.write(bytes)) return true;
  const room = Promise.withResolvers<void>();
  socket.once('drain', room.resolve).once('close', room.resolve);
  const timer = setTimeout(room.resolve, roomMs);
  await room.promise;
  clearTimeout(timer);
  socket.off('drain', room.resolve).off('close', room.resolve);
  return !socket.destroyed;
}

/** Resolves when the server ends the connection; false when it did not within the time. */
export function endsWithin(socket: TLSSocket, withinMs: number): Promise<boolean> {
  if (socket.destroyed) return Promise.resolve(true);
  return new Promise((resolve) => {
    const closed = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      socket.off('close', closed);
      resolve(false);
    }, withinMs);
    socket.once('close', closed);
    socket.resume();
  });
}
