import { Buffer } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';

/** The timeouts of Go's default transport (client-go, transport cache). */
const dialMs = 30_000;
const handshakeMs = 10_000;

/**
 * Aborts a request whose connection is not established in time. After that there is no timeout, since logs may be
 * followed for any time.
 */
export function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket: Socket) => {
    if (!socket.connecting) return;
    let timer = setTimeout(() => socket.destroy(networkError('UND_ERR_CONNECT_TIMEOUT', 'i/o timeout')), dialMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(networkError('', 'net/http: TLS handshake timeout')), handshakeMs);
    });
    for (const event of ['secureConnect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

/** The user agent of Go's HTTP client. */
export const goUserAgent = 'Go-http-client/1.1';
/** Maximum of bytes that are read of a kubelet's error response, as in the reference. */
const maxRefusalBytes = 50_000;

/** How long reading the body of an error response may take. */
const refusalMs = 10_000;

/**
 * The body of a kubelet's error response, up to a limit; the rest is not read. Rejects if the connection breaks or if
 * reading takes too long.
 */
export async function readRefusal(response: IncomingMessage): Promise<string> {
  // A 101 response has no body with an end.
  if (response.statusCode === 101) {
    response.destroy();
    return '';
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => response.destroy(new Error('context deadline exceeded')), refusalMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxRefusalBytes) break;
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, maxRefusalBytes).toString('utf8');
}

/** The 500 that the reference returns for an error without a Status of its own. */
export function plainError(message: string): StatusError {
  return new StatusError(failureStatus(500, '', message));
}

function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), code === '' ? {} : { code });
}
