import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** As long as Go's default transport gives a handshake. */
const handshakeMs = 10_000;

/** Begins TLS on a connection that a proxy made. `options` are those of a direct connection. */
export function secureSocket(socket: Duplex, options: ConnectionOptions): TLSSocket {
  const { path: _path, ...tls } = options;
  const secure = connect({ ...tls, socket });
  const timer = setTimeout(() => secure.destroy(new Error('net/http: TLS handshake timeout')), handshakeMs);
  for (const event of ['secureConnect', 'close']) secure.once(event, () => clearTimeout(timer));
  return secure;
}

/** `host:port`, with brackets around an IPv6 address. */
export function addressOf(host: string, port: string | number): string {
  const plain = host.replace(/^\[|\]$/g, '');
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}
