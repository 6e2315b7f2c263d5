import type { ClientRequest, IncomingMessage } from 'node:http';
import type { DirectReads } from './direct-reads.ts';
import type { Exchange } from './exchange.ts';
import type { UpgradedConnection } from './join-connections.ts';

/**
 * Whether a request asks for an upgrade to a protocol that the listeners support. As in the reference (apimachinery
 * pkg/util/httpstream, IsUpgradeRequest), the header `Upgrade` alone is not enough; requests with `Upgrade: h2c` and
 * the like are plain requests.
 */
export function asksForUpgrade(exchange: Exchange): boolean {
  if (exchange.httpVersion !== '1.1') return false;
  const { headers } = exchange;
  return (
    headers['upgrade'] !== undefined &&
    /^(?:websocket|spdy\/3\.1)$/i.test(String(headers['upgrade'])) &&
    /upgrade/i.test(String(headers['connection'] ?? ''))
  );
}

/**
 * Sends a request for an upgrade, which was made with the options of `reads`. Resolves with the connection, or with the
 * answer of a server that does not upgrade, which may be a 101 that names no protocol. Rejects if neither comes.
 */
export function upgradeAnswer(
  request: ClientRequest,
  reads: DirectReads,
): Promise<UpgradedConnection | IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('socket', (socket) => (reads.connection = socket));
    request.on('upgrade', (response, socket, head) => {
      socket.on('error', () => socket.destroy());
      resolve({ response, socket, head, reads });
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
}

export function isUpgraded(answer: UpgradedConnection | IncomingMessage): answer is UpgradedConnection {
  return 'socket' in answer && 'head' in answer;
}
