import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { EgressError } from '#shared/egress/dial/egress-dial.ts';
import { connectToProxy } from '#shared/egress/dial/proxy-socket.ts';

/** The call of the proxy that carries the packets of one connection in both directions. */
export interface ProxyCall {
  readonly session: ClientHttp2Session;
  readonly stream: ClientHttp2Stream;
}

/** As much as a proxy may send before it is read. */
const windowBytes = 256 * 1024;
/** Between attempts, as gRPC's client in Go waits. */
const firstPauseMs = 1_000;
const growth = 1.6;

/**
 * Opens the call on a connection of its own. A proxy that does not answer is tried again until the signal ends that, as
 * the reference does: a proxy on the same machine may just be starting.
 * @throws EgressError with the message of gRPC's client in Go
 */
export async function openProxyCall(path: string, signal: AbortSignal): Promise<ProxyCall> {
  let last: unknown = new Error('i/o timeout');
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs *= growth) {
    try {
      const session = await openSession(path, signal);
      return { session, stream: openStream(session) };
    } catch (error) {
      last = error;
    }
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  const reason = last instanceof Error ? last.message : String(last);
  throw new EgressError(
    'connect',
    `context deadline exceeded: connection error: desc = "transport: Error while dialing: ${reason}"`,
  );
}

/** Resolves when the proxy has sent its settings. */
async function openSession(path: string, signal: AbortSignal): Promise<ClientHttp2Session> {
  const socket = await connectToProxy({ address: path, path }, signal);
  const session = connect('http://localhost', {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: windowBytes },
  });
  session.setLocalWindowSize(windowBytes);
  const ready = Promise.withResolvers<void>();
  const onAbort = (): void => ready.reject(new Error('i/o timeout'));
  signal.addEventListener('abort', onAbort, { once: true });
  session.once('remoteSettings', () => ready.resolve());
  // The listener stays: a session that fails later ends its stream, which tells the connection.
  session.on('error', (error) => ready.reject(error));
  session.once('close', () => ready.reject(new Error('EOF')));
  try {
    await ready.promise;
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function openStream(session: ClientHttp2Session): ClientHttp2Stream {
  const { HTTP2_HEADER_METHOD: method, HTTP2_HEADER_PATH: path, HTTP2_HEADER_CONTENT_TYPE: type } = constants;
  return session.request(
    { [method]: 'POST', [path]: '/ProxyService/Proxy', [type]: 'application/grpc', te: 'trailers' },
    { endStream: false },
  );
}
