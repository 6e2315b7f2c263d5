import { connect, type Socket } from 'node:net';

/** The protocol of the HTTP/1.1 upgrade with which a client switches the store's client address to frames. */
export const framesUpgrade = 'quarterdeck-frames';

/** Connects to a server of the frame protocol. `ready` is called when frames may be written, never before. */
export interface FrameDial {
  /** The address, for error texts. */
  readonly where: string;
  connect(ready: () => void): Socket;
}

/** The server answered the upgrade to frames with a refusal: it is not a store of this project. */
export class NoFramesError extends Error {}

const headEnd = '\r\n\r\n';
const longestHead = 8_192;

export function dialUnixSocket(path: string): FrameDial {
  return { where: path, connect: (ready) => connect(path).on('connect', ready) };
}

/** `endpoint`: `http://HOST:PORT`, the address on which etcd's API is served, too. */
export function dialClientUrl(endpoint: string): FrameDial {
  const { hostname, port, host } = new URL(endpoint);
  return {
    where: endpoint,
    connect(ready) {
      const socket = connect({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port === '' ? 2379 : port),
        noDelay: true,
      });
      socket.on('connect', () =>
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${framesUpgrade}${headEnd}`),
      );
      awaitSwitch(socket, ready);
      return socket;
    },
  };
}

/** Reads the head of the response; the bytes after it are left for the next reader of the socket. */
function awaitSwitch(socket: Socket, ready: () => void): void {
  let head = Buffer.alloc(0);
  const read = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(headEnd);
    if (end === -1 && head.length < longestHead) return;
    socket.off('readable', read);
    if (end === -1 || !head.toString('latin1').startsWith('HTTP/1.1 101 ')) {
      socket.destroy(new NoFramesError('the server speaks no frames'));
      return;
    }
    if (head.length > end + headEnd.length) socket.unshift(head.subarray(end + headEnd.length));
    ready();
  };
  socket.on('readable', read);
}
