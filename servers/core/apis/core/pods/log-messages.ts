import { Buffer } from 'node:buffer';
import { WebSocketConnection } from '#servers/core/kubelet/websocket-connection.ts';
import { acceptWebSocket, offeredProtocols } from '#servers/core/kubelet/websocket-handshake.ts';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { opcode } from '#shared/request/websocket-frames.ts';

/** A destination of a log. */
export interface LogSink {
  /** False when the client has to catch up. */
  write(chunk: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(): void;
}

const base64 = 'base64.binary.k8s.io';
/** Subprotocols; the empty one is for clients that offer none. */
const protocols: readonly string[] = ['', 'binary.k8s.io', base64];
const nothing = Buffer.alloc(0);

export function asksForLogMessages({ exchange }: RequestContext): boolean {
  return asksForUpgrade(exchange) && String(exchange.headers['upgrade']).toLowerCase() === 'websocket';
}

/**
 * Accepts a WebSocket and returns a sink that sends a log in its messages (apiserver pkg/util/httpstream/wsstream,
 * Reader). An empty first message confirms the connection; messages of the client are ignored. Undefined if the
 * handshake is invalid; the client has then got its error response.
 */
export function openLogMessages(context: RequestContext): LogSink | undefined {
  const offered = offeredProtocols(context);
  const chosen = offered.length === 0 ? '' : (offered.find((protocol) => protocols.includes(protocol)) ?? null);
  const client = acceptWebSocket(context, chosen);
  if (client === undefined) return undefined;
  let drained = (): void => undefined;
  const messages = new WebSocketConnection(client.socket, {
    onPiece: () => true,
    onMessageEnd: () => undefined,
    onDrain: () => drained(),
    onGone: () => undefined,
  });
  const write = (chunk: Buffer): boolean =>
    chosen === base64
      ? messages.send(nothing, Buffer.from(chunk.toString('base64')), opcode.text)
      : messages.send(nothing, chunk);
  messages.start(client.head);
  write(nothing);
  return { write, onDrain: (listener) => (drained = listener), end: () => messages.close() };
}
