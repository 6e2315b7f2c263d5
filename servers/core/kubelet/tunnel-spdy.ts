import type { Duplex } from 'node:stream';
import { readOnAfterFailedWrites } from '../../../shared/request/failed-writes.ts';
import { isUpgraded } from '../../../shared/request/ask-for-upgrade.ts';
import { endConnection, type UpgradedConnection } from '../../../shared/request/join-connections.ts';
import type { RequestContext } from '../../../shared/request/request-context.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { askForUpgrade, clientHeaders, relayRefusal } from './pass-upgrade-on.ts';
import { WebSocketConnection } from './websocket-connection.ts';
import { acceptWebSocket, offeredProtocols } from './websocket-handshake.ts';

const tunnelPrefix = 'SPDY/3.1+';
/** Of the client's WebSocket, not of what is in it. */
const ofWebSocket: ReadonlySet<string> = new Set(['sec-websocket-protocol', 'sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'upgrade', 'x-stream-protocol-version']);
const nothing = Buffer.alloc(0);

export function isTunnelProtocol(protocol: string): boolean {
  return protocol.startsWith(tunnelPrefix) && protocol.endsWith('.k8s.io');
}

/**
 * SPDY inside the messages of a client's WebSocket, as SPDY itself to a kubelet that speaks nothing else (apiserver
 * pkg/util/proxy, TunnelingHandler). The client is answered once the kubelet has.
 */
export async function tunnelSpdy(context: RequestContext, kubelets: KubeletConnections, kubelet: KubeletEndpoint, path: string): Promise<void> {
  const protocols = offeredProtocols(context).filter(isTunnelProtocol).map((protocol) => protocol.slice(tunnelPrefix.length));
  const answer = await askForUpgrade(context, kubelets, kubelet, { method: 'POST', path, headers: [...withoutWebSocket(clientHeaders(context)), 'Upgrade', 'SPDY/3.1', ...protocols.flatMap((protocol) => ['X-Stream-Protocol-Version', protocol])] });
  if (answer === undefined) return;
  if (!isUpgraded(answer)) return relayRefusal(context, answer);
  const { headers } = answer.response;
  if (!/spdy\/3\.1/i.test(String(headers.upgrade))) {
    answer.socket.destroy();
    context.exchange.send(500, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }, 'unable to upgrade: missing upgrade headers in response\n');
    return;
  }
  const chosen = String(headers['x-stream-protocol-version'] ?? '').trim();
  const client = acceptWebSocket(context, chosen === '' ? undefined : tunnelPrefix + chosen);
  if (client === undefined) answer.socket.destroy();
  else joinMessages(client.socket, client.head, answer);
}

function withoutWebSocket(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) if (!ofWebSocket.has((headers[at] ?? '').toLowerCase())) kept.push(headers[at] ?? '', headers[at + 1] ?? '');
  return kept;
}

/** Payload of messages one way, a message for each piece the other. */
function joinMessages(client: Duplex, clientHead: Buffer, { socket, head }: UpgradedConnection): void {
  const messages = new WebSocketConnection(client, {
    onPiece: (piece) => !socket.writable || socket.write(piece),
    onMessageEnd: () => undefined,
    onDrain: () => socket.resume(),
    onGone: () => endConnection(socket),
  });
  readOnAfterFailedWrites(socket);
  const send = (chunk: Buffer): void => {
    if (!messages.send(nothing, chunk)) socket.pause();
  };
  socket.on('drain', () => messages.resume());
  socket.on('data', send);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => messages.close());
  socket.on('end', () => messages.close());
  if (head.length > 0) send(head);
  messages.start(clientHead);
}
