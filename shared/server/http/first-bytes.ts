import type { Socket } from 'node:net';
import { limits } from './limits.ts';

/**
 * How Go tells HTTP from a TLS record: by as many bytes as a record has before its content (net/http
 * tlsRecordHeaderLooksLikeHTTP).
 */
const headBytes = 5;
const beginsOfHttp: ReadonlySet<string> = new Set(['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO']);
const answer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/**
 * Looks at the first bytes of a client and passes the socket on with all of them, unless it is HTTP without TLS, which
 * gets an error. The socket is closed when nothing arrives.
 */
export function tellHttpFromTls(socket: Socket, onTls: () => void): void {
  const timer = setTimeout(() => socket.destroy(), limits.handshakeMs);
  let begin: Buffer = Buffer.alloc(0);
  const onReadable = (): void => {
    const more = socket.read() as Buffer | null;
    if (more === null) return;
    begin = begin.length === 0 ? more : Buffer.concat([begin, more]);
    if (begin.length < headBytes) return;
    socket.off('readable', onReadable);
    clearTimeout(timer);
    // Not before: what is put back is readable at once.
    socket.unshift(begin);
    if (beginsOfHttp.has(begin.toString('latin1', 0, headBytes))) refuse(socket);
    else onTls();
  };
  socket.on('close', () => clearTimeout(timer));
  socket.on('readable', onReadable);
}

/** What it sends on is still taken in, or it would see a reset instead of the answer. */
function refuse(socket: Socket): void {
  socket.resume();
  socket.end(answer);
  setTimeout(() => socket.destroy(), limits.lingerMs).unref();
}
