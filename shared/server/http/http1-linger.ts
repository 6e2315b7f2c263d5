import type { Socket } from 'node:net';
import { limits } from './limits.ts';

/**
 * Keeps reading behind the last answer of a connection whose client still sends the body of its request. node:http
 * would close the connection at once, and the reset that answers further bytes overtakes the answer (413, say).
 */
export function lingerBehindAnswers(socket: Socket, isUploading: () => boolean): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (!isUploading()) return destroySoon();
    socket.end();
    // The bytes no longer reach the parser: what follows the body must not be served.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    socket.resume();
    setTimeout(() => socket.destroy(), limits.lingerMs).unref();
  };
}
