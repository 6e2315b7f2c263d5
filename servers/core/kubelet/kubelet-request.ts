import { Buffer } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { failureStatus, StatusError } from '../../../shared/apimachinery/status.ts';

/** As Go's default transport has them (client-go, transport cache). */
const dialMs = 30_000;
const handshakeMs = 10_000;

/**
 * Gives a request up whose connection does not come about. Afterwards a kubelet may take its time: logs that are
 * followed have none.
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

/** By which Go's client names itself. */
export const goUserAgent = 'Go-http-client/1.1';
/** What is read of a kubelet's refusal, as in the reference. */
const maxRefusalBytes = 50_000;

/** How long reading the body of a refusal may take. */
const refusalMs = 10_000;

/**
 * The text with which a kubelet refused, up to a bound; the rest of its answer is not read. Rejects if the connection
 * breaks or it takes too long.
 */
export async function readRefusal(response: IncomingMessage): Promise<string> {
  // Nothing delimits what follows a 101.
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

/** The 500 that the reference gives for any error of its own. */
export function plainError(message: string): StatusError {
  return new StatusError(failureStatus(500, '', message));
}

function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), code === '' ? {} : { code });
}
