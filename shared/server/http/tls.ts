import type { OpenListener } from '#shared/server/exchange/listener.ts';
import type { TlsListenerOptions } from './tls-listener-options.ts';

/**
 * A public listener. The TLS modules of Node.js are loaded when it opens, since most servers have only a Unix socket.
 */
export function tlsListener(options: TlsListenerOptions): OpenListener {
  return async (onExchange) => (await import('./tls-listener.ts')).listenTls(options, onExchange);
}
