import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isUpgraded, upgradeAnswer } from '#shared/request/ask-for-upgrade.ts';
import { DirectReads } from '#shared/request/direct-reads.ts';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import { joinUpgraded, type UpgradedConnection } from '#shared/request/join-connections.ts';
import { invalidUpgradeAnswer, relayRefusal } from '#shared/request/relay/relay-refusal.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { remoteHeaders, requestTarget } from './remote-headers.ts';
import type { RemoteServer } from './remote-server.ts';
import type { ServiceAddress } from './resolve-service.ts';
import { sendText } from './send-text.ts';

/**
 * Forwards an upgrade on a separate connection. The client's is joined to it only after the server has answered 101.
 */
export async function forwardUpgradeRemote(
  context: RequestContext,
  server: RemoteServer,
  address: ServiceAddress,
): Promise<void> {
  const { exchange } = context;
  const url = new URL(`https://${address}`);
  const headers = [
    ...remoteHeaders(context, undefined),
    'host',
    address,
    'connection',
    'Upgrade',
    'upgrade',
    String(exchange.headers['upgrade']),
  ];
  const reads = new DirectReads();
  const request = httpsRequest({
    ...reads.requestOptions,
    ...server.tls,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
    method: exchange.method,
    path: requestTarget(context),
    headers,
    setHost: false,
    agent: false,
  });
  exchange.onClose(() => request.destroy());
  let answer: UpgradedConnection | IncomingMessage;
  try {
    answer = await upgradeAnswer(request, reads);
  } catch (error) {
    if (exchange.closed || exchange.responded) return;
    server.onFailure();
    sendText(context, 503, goNetworkError(error, address));
    return;
  }
  if (isUpgraded(answer)) return joinUpgraded(exchange, answer);
  const invalid = invalidUpgradeAnswer(answer);
  if (invalid === undefined) relayRefusal(exchange, answer);
  else sendText(context, 503, invalid);
}
