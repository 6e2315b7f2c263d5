import type { Socket } from 'node:net';
import { limits } from './limits.ts';

/**
 * Go distinguishes HTTP from TLS by the first bytes, as many as the header of a TLS record has (net/http
 * tlsRecordHeaderLooksLikeHTTP).
 */
const headBytes = 5;
const beginsOfHttp: ReadonlySet<string> = new Set(['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO']);
const answer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/**
 * Checks the first bytes of a connection. Calls `onTls` with all bytes still unread, unless the client speaks HTTP
 * without TLS: then it gets an error, and `onPlainHttp` is called. Closes the socket if nothing arrives.
 */
export function detectProtocol(socket: Socket, onTls: () => void, onPlainHttp: () => void): void {
  const timer = setTimeout(() => socket.destroy(), limits.handshakeMs);
  let begin: Buffer = Buffer.alloc(0);
  const onReadable = (): void => {
    const more = socket.read() as Buffer | null;
    if (more === null) return;
    begin = begin.length === 0 ? more : Buffer.concat([begin, more]);
    if (begin.length < headBytes) return;
    socket.off('readable', onReadable);
    clearTimeout(timer);
    // The listener is removed before, since the bytes that are put back become readable at once.
    socket.unshift(begin);
    if (!beginsOfHttp.has(begin.toString('latin1', 0, headBytes))) return onTls();
    refuse(socket);
    onPlainHttp();
  };
  socket.on('close', () => clearTimeout(timer));
  socket.on('readable', onReadable);
}

/** Sends the error. Further bytes of the client are still read, or it would see a reset instead of the answer. */
function refuse(socket: Socket): void {
  socket.resume();
  socket.end(answer);
  setTimeout(() => socket.destroy(), limits.lingerMs).unref();
}
