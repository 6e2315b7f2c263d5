import type { ResponseStream } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { acceptOf } from '#shared/request/websocket-frames.ts';
import { cborType, jsonType, streamContentType, type MediaType } from '#shared/serializer/negotiate.ts';
import { WebSocketStream, type MessageForm } from './websocket-stream.ts';

/** Starts the response of a watch: a stream of frames, or WebSocket messages where the client requests an upgrade. */
export function openWatch(context: RequestContext, mediaType: MediaType): ResponseStream | undefined {
  const { exchange } = context;
  const taken =
    String(exchange.headers['upgrade'] ?? '').toLowerCase() === 'websocket' ? exchange.upgrade() : undefined;
  if (taken === undefined) return exchange.stream(200, { 'content-type': streamContentType(mediaType) });
  const { socket, head, hopLines } = taken;
  const refusal = refusalOf(context);
  if (refusal !== undefined) {
    socket.end(`HTTP/1.1 ${refusal.head}\r\n${hopLines}\r\n${refusal.text}`);
    return undefined;
  }
  const accept = acceptOf(String(exchange.headers['sec-websocket-key']));
  const [protocol] = protocolsOf(context);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}${hopLines}\r\n`,
  );
  return new WebSocketStream(socket, head, messagesOf(mediaType), () => socket.destroy());
}

function messagesOf(mediaType: MediaType): MessageForm {
  if (mediaType === jsonType) return 'lines';
  return mediaType === cborType ? 'items' : 'frames';
}

/** The subprotocols that the client requests. */
function protocolsOf({ exchange: { headers } }: RequestContext): string[] {
  const text = String(headers['sec-websocket-protocol'] ?? '').trim();
  return text === '' ? [] : text.split(',').map((protocol) => protocol.trim());
}

/**
 * The handshake of golang.org/x/net/websocket: version 13, a key, an origin, and at most one subprotocol, which the
 * response repeats.
 */
function refusalOf(context: RequestContext): { readonly head: string; readonly text: string } | undefined {
  const { headers } = context.exchange;
  if (String(headers['sec-websocket-key'] ?? '') === '')
    return { head: '400 Bad Request', text: 'mismatch challenge/response' };
  if (headers['sec-websocket-version'] !== '13')
    return { head: '400 Bad Request\r\nSec-WebSocket-Version: 13', text: 'missing or bad WebSocket Version' };
  if (String(headers['origin'] ?? '') === '') return { head: '403 Forbidden', text: '' };
  return protocolsOf(context).length > 1 ? { head: '400 Bad Request', text: '' } : undefined;
}
