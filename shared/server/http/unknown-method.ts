import { Duplex } from 'node:stream';
import { limits } from './limits.ts';

/** A method that the parser knows and does not treat specially, and that no client of this API sends. */
const standIn = 'UNLINK';
/** A token of RFC 9110 that is short enough to be a method. */
const methodAtStart = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) /;

/** The error that node:http passes to `clientError`. */
export interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  /** The position in the packet at which the parser stopped. */
  readonly bytesParsed?: number;
}

export interface ResumedRequest {
  readonly socket: Duplex;
  readonly method: string;
}

/**
 * Continues a connection whose request has a method that the parser of node:http does not know. The parser would end
 * the connection, but the reference serves such a request like any other (a 403 or 405 with a Status; over HTTP/2 here
 * too). Returns a socket to pass to the server again, on which a known method replaces the unknown one, and the real
 * method. Undefined if the packet is not the beginning of a request.
 */
export function resumeUnknownMethod(error: ParseError, socket: Duplex): ResumedRequest | undefined {
  const packet = error.rawPacket;
  if (error.code !== 'HPE_INVALID_METHOD' || packet === undefined || !socket.writable) return undefined;
  const method = methodAtStart.exec(packet.toString('latin1', 0, 40))?.[1];
  if (method === undefined || (error.bytesParsed ?? 0) > method.length) return undefined;
  return {
    method,
    socket: new ResumedSocket(socket, Buffer.concat([Buffer.from(standIn), packet.subarray(method.length)])),
  };
}

/** The socket of a failed parser, read again from the beginning of its last packet. */
class ResumedSocket extends Duplex {
  readonly #socket: Duplex;

  constructor(socket: Duplex, first: Buffer) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    for (const event of ['data', 'end', 'error', 'drain']) socket.removeAllListeners(event);
    this.push(first);
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
    setTimeout(() => this.destroy(), limits.lingerMs).unref();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
