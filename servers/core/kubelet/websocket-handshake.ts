import type { TakenConnection } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { acceptOf } from '#shared/request/websocket-frames.ts';

/** The subprotocols that a client offers, in its order. */
export function offeredProtocols({ exchange: { headers } }: RequestContext): string[] {
  const text = String(headers['sec-websocket-protocol'] ?? '').trim();
  return text === '' ? [] : text.split(',').map((protocol) => protocol.trim());
}

/** Whether the client asks for a WebSocket with a protocol for which `isProtocol` returns true. */
export function asksForWebSocket(context: RequestContext, isProtocol: (protocol: string) => boolean): boolean {
  const { httpVersion, headers } = context.exchange;
  return (
    httpVersion === '1.1' &&
    String(headers['upgrade'] ?? '').toLowerCase() === 'websocket' &&
    offeredProtocols(context).some(isProtocol)
  );
}

/**
 * Responds with 101 and takes the connection over. `null` for `protocol` means that none of the offered ones is
 * supported. Undefined if the handshake is invalid; the client then gets an error response, and the connection ends.
 */
export function acceptWebSocket(
  context: RequestContext,
  protocol: string | undefined | null,
): TakenConnection | undefined {
  const taken = context.exchange.upgrade();
  if (taken === undefined) return undefined;
  const refusal = refusalOf(context) ?? (protocol === null ? { head: '403 Forbidden', text: '' } : undefined);
  if (refusal !== undefined) {
    taken.socket.end(`HTTP/1.1 ${refusal.head}\r\n${taken.hopLines}\r\n${refusal.text}`);
    return undefined;
  }
  const accept = acceptOf(String(context.exchange.headers['sec-websocket-key']));
  taken.socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${protocol === undefined || protocol === null ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}${taken.hopLines}\r\n`,
  );
  return taken;
}

/** The error response to an invalid handshake, in the words of golang.org/x/net/websocket. */
function refusalOf({
  exchange: { method, headers },
}: RequestContext): { readonly head: string; readonly text: string } | undefined {
  if (method !== 'GET') return { head: '405 Method Not Allowed', text: 'bad method' };
  if (String(headers['sec-websocket-key'] ?? '') === '')
    return { head: '400 Bad Request', text: 'mismatch challenge/response' };
  if (headers['sec-websocket-version'] !== '13')
    return { head: '400 Bad Request\r\nSec-WebSocket-Version: 13', text: 'missing or bad WebSocket Version' };
  return undefined;
}
