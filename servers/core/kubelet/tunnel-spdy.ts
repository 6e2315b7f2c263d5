import type { Duplex } from 'node:stream';
import { isUpgraded } from '#shared/request/ask-for-upgrade.ts';
import { readOnAfterFailedWrites } from '#shared/request/failed-writes.ts';
import { gatherWrites } from '#shared/request/gather-writes.ts';
import { endConnection, type UpgradedConnection } from '#shared/request/join-connections.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { askForUpgrade, clientHeaders, passRefusalOn } from './pass-upgrade-on.ts';
import { WebSocketConnection } from './websocket-connection.ts';
import { acceptWebSocket, offeredProtocols } from './websocket-handshake.ts';

const tunnelPrefix = 'SPDY/3.1+';
/** Headers of the client's WebSocket, not of the SPDY connection in it. */
const ofWebSocket = [
  'Sec-Websocket-Protocol',
  'Sec-Websocket-Key',
  'Sec-Websocket-Version',
  'Sec-Websocket-Extensions',
] as const;
const nothing = Buffer.alloc(0);

export function isTunnelProtocol(protocol: string): boolean {
  return protocol.startsWith(tunnelPrefix) && protocol.endsWith('.k8s.io');
}

/**
 * Unwraps SPDY from the messages of a client's WebSocket, for a kubelet that supports only SPDY (apiserver
 * pkg/util/proxy, TunnelingHandler). The client gets its response after the kubelet has responded.
 */
export async function tunnelSpdy(
  context: RequestContext,
  kubelets: KubeletConnections,
  kubelet: KubeletEndpoint,
  path: string,
): Promise<void> {
  const protocols = offeredProtocols(context)
    .filter(isTunnelProtocol)
    .map((protocol) => protocol.slice(tunnelPrefix.length));
  const headers = clientHeaders(context);
  for (const name of ofWebSocket) headers.delete(name);
  headers.set('Upgrade', 'SPDY/3.1').set('X-Stream-Protocol-Version', protocols);
  const answer = await askForUpgrade(context, kubelets, kubelet, { method: 'POST', path, headers });
  if (answer === undefined) return;
  if (!isUpgraded(answer)) return passRefusalOn(context.exchange, answer);
  const { upgrade, 'x-stream-protocol-version': version } = answer.response.headers;
  if (!/spdy\/3\.1/i.test(String(upgrade))) {
    answer.socket.destroy();
    context.exchange.send(
      500,
      { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      'unable to upgrade: missing upgrade headers in response\n',
    );
    return;
  }
  const chosen = String(version ?? '').trim();
  const client = acceptWebSocket(context, chosen === '' ? undefined : tunnelPrefix + chosen);
  if (client === undefined) answer.socket.destroy();
  else joinMessages(client.socket, client.head, answer);
}

/** Sends the payload of the client's messages to the kubelet, and each piece from the kubelet as one message. */
function joinMessages(client: Duplex, clientHead: Buffer, { socket, head }: UpgradedConnection): void {
  const messages = new WebSocketConnection(client, {
    onPiece: (piece) => {
      if (!socket.writable) return true;
      gatherWrites(socket);
      return socket.write(piece);
    },
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
