import { request as httpsRequest } from 'node:https';
import { DirectReads } from '#shared/request/direct-reads.ts';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import { invalidUpgradeAnswer, relayRefusal } from '#shared/request/relay/relay-refusal.ts';
import { relayUpgrade } from '#shared/request/relay/relay-upgrade.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { ServiceAddress } from '#shared/services/resolve-service.ts';
import { remoteHeaders, requestTarget } from './remote-headers.ts';
import type { RemoteServer } from './remote-server.ts';
import { sendText } from './send-text.ts';

/**
 * Forwards an upgrade on a separate connection. The client's is joined to it only after the server has answered 101.
 */
export function forwardUpgradeRemote(
  context: RequestContext,
  server: RemoteServer,
  address: ServiceAddress,
): Promise<void> {
  const { exchange } = context;
  const url = new URL(`https://${address}`);
  const headers = [
    ...remoteHeaders(context, undefined, server),
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
    agent: server.upgradeAgent,
  });
  return relayUpgrade(exchange, request, reads, {
    onFailure(error) {
      server.onFailure();
      sendText(context, 503, goNetworkError(error, address));
    },
    onRefusal(answer) {
      const invalid = invalidUpgradeAnswer(answer);
      if (invalid === undefined) relayRefusal(exchange, answer);
      else sendText(context, 503, invalid);
    },
  });
}
