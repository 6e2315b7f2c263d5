import { Buffer } from 'node:buffer';
import { asksForUpgrade } from '../../../../../shared/request/ask-for-upgrade.ts';
import type { RequestContext } from '../../../../../shared/request/request-context.ts';
import { opcode } from '../../../../../shared/request/websocket-frames.ts';
import { WebSocketConnection } from '../../../kubelet/websocket-connection.ts';
import { acceptWebSocket, offeredProtocols } from '../../../kubelet/websocket-handshake.ts';

/** Where a log goes. */
export interface LogSink {
  /** False when the client has to catch up. */
  write(chunk: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(): void;
}

const base64 = 'base64.binary.k8s.io';
/** The first is for clients that name none. */
const protocols: readonly string[] = ['', 'binary.k8s.io', base64];
const nothing = Buffer.alloc(0);

export function asksForLogMessages({ exchange }: RequestContext): boolean {
  return asksForUpgrade(exchange) && String(exchange.headers['upgrade']).toLowerCase() === 'websocket';
}

/**
 * A log as messages of a WebSocket, after an empty one that says that it stands (apiserver
 * pkg/util/httpstream/wsstream, Reader). What the client says is passed over. Undefined where the handshake is wrong,
 * which is answered.
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
