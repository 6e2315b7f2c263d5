import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { failureStatus, StatusError } from '../../../shared/apimachinery/status.ts';

/** As Go's default transport has them (client-go, transport cache). */
const dialMs = 30_000;
const handshakeMs = 10_000;

/**
 * Gives a request up whose connection does not come about. Afterwards a kubelet may take its time: logs that are followed
 * have none.
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

/** The 500 that the reference gives for any error of its own. */
export function plainError(message: string): StatusError {
  return new StatusError(failureStatus(500, '', message));
}

function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), code === '' ? {} : { code });
}
