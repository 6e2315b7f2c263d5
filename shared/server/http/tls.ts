import type { OpenListener } from '../exchange/listener.ts';
import type { TlsListenerOptions } from './tls-listener.ts';

/** A public listener. What TLS needs of Node.js is loaded when it opens: most servers are reached by a socket alone. */
export function tlsListener(options: TlsListenerOptions): OpenListener {
  return async (onExchange) => (await import('./tls-listener.ts')).listenTls(options, onExchange);
}
