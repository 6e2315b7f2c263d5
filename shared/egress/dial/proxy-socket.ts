import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import { EgressError } from './egress-dial.ts';

/** Where a proxy listens. */
export interface ProxyEndpoint {
  /** As errors name it: `host:port`, or the path of a Unix socket. */
  readonly address: string;
  /** Path of a Unix socket; absent for TCP. */
  readonly path?: string;
  readonly tls?: () => ProxyTls;
}

export interface ProxyTls {
  readonly secureContext: SecureContext;
  /** The name that the certificate has to be for; empty for the host of the address. */
  readonly servername: string;
}

/**
 * Connects to a proxy.
 * @throws EgressError with the message of Go's dialer
 */
export async function connectToProxy(endpoint: ProxyEndpoint, signal: AbortSignal): Promise<Socket> {
  const { socket, readyEvent } = open(endpoint);
  try {
    await connected(socket, readyEvent, signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw new EgressError('connect', connectFailure(endpoint, error));
  }
}

function open({ address, path, tls }: ProxyEndpoint): { readonly socket: Socket; readonly readyEvent: string } {
  if (path !== undefined) return { socket: connect({ path }), readyEvent: 'connect' };
  const { host, port } = hostPort(address, tls === undefined ? 80 : 443);
  if (tls === undefined) return { socket: connect({ host, port, noDelay: true }), readyEvent: 'connect' };
  const { secureContext, servername } = tls();
  const socket = connectTls({ host, port, secureContext, ...(servername !== '' && { servername }) });
  return { socket: socket.setNoDelay(true), readyEvent: 'secureConnect' };
}

/** Resolves with the event; rejects with the error of the socket, or when the signal ends the attempt. */
async function connected(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void => reject(new Error('i/o timeout'));
    const settle = (then: () => void) => (): void => {
      signal.removeEventListener('abort', giveUp);
      then();
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once(event, settle(resolve));
    // Stays: a socket without a listener would end the process at a later error.
    socket.on('error', (error) => settle(() => reject(error))());
    socket.once(
      'close',
      settle(() => reject(new Error('EOF'))),
    );
  });
}

function connectFailure({ address, path }: ProxyEndpoint, error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (path === undefined) {
    const text = goNetworkError(error, address);
    return text === 'i/o timeout' ? `dial tcp ${address}: ${text}` : text;
  }
  return `dial unix ${path}: ${unixFailures.get(code) ?? goNetworkError(error, path)}`;
}

const unixFailures: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'connect: no such file or directory'],
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EACCES', 'connect: permission denied'],
  ['ENOTSOCK', 'connect: connection refused'],
]);

/** Host and port of `host:port`, the host without brackets. */
export function hostPort(address: string, defaultPort: number): { readonly host: string; readonly port: number } {
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  return { host: bracketed ?? plain, port: port === undefined ? defaultPort : Number(port) };
}
