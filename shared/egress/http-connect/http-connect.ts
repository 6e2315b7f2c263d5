import type { Socket } from 'node:net';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { dialSignal, EgressError, type EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { connectToProxy, type ProxyEndpoint } from '#shared/egress/dial/proxy-socket.ts';
import { ResponseHead, type ProxyAnswer } from './response-head.ts';

/** Connections through a proxy that understands the method CONNECT of HTTP/1.1 (RFC 9110, section 9.3.6). */
export function httpConnectDial(endpoint: ProxyEndpoint): EgressDial {
  return async (address, signal) => {
    const over = dialSignal(signal);
    const socket = await connectToProxy(endpoint, over);
    try {
      await askFor(socket, address, endpoint.address, over);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

/** Asks the proxy on the socket for a connection. @throws EgressError unless there is one, with nothing read of it */
async function askFor(socket: Socket, address: string, proxy: string, signal: AbortSignal): Promise<void> {
  socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  let answer: ProxyAnswer;
  let more: number;
  try {
    const head = new ResponseHead();
    more = await readHead(socket, head, signal);
    answer = head.parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failed(`reading HTTP response from CONNECT to ${address} via proxy ${proxy} failed: ${reason}`);
  }
  if (answer.code !== 200)
    throw failed(`proxy error from ${proxy} while dialing ${address}, code ${answer.code}: ${answer.status}`);
  // What the other end says before it was spoken to would be lost, or taken for a part of the answer.
  if (more > 0) throw failed(`unexpected ${more} bytes of buffered data from CONNECT proxy ${goQuote(proxy)}`);
}

function failed(message: string): EgressError {
  return new EgressError('proxy', message);
}

/** Reads up to the end of a head. Resolves with the number of bytes that came with it from behind it. */
async function readHead(socket: Socket, head: ResponseHead, signal: AbortSignal): Promise<number> {
  const done = Promise.withResolvers<number>();
  const onReadable = (): void => {
    for (let piece = read(socket); piece !== undefined; piece = read(socket)) {
      const behind = head.add(piece);
      if (behind !== undefined) return done.resolve(behind.length);
      if (head.isTooLong) return done.reject(new Error('unexpected EOF'));
    }
  };
  const onEnd = (): void => done.reject(new Error('unexpected EOF'));
  const onError = (error: NodeJS.ErrnoException): void =>
    done.reject(new Error(error.code === 'ECONNRESET' ? 'read: connection reset by peer' : error.message));
  const onAbort = (): void => done.reject(new Error('i/o timeout'));
  socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', onError);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await done.promise;
  } finally {
    socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
    signal.removeEventListener('abort', onAbort);
  }
}

function read(socket: Socket): Buffer | undefined {
  return (socket.read() as Buffer | null) ?? undefined;
}
