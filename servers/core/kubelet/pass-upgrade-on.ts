import type { IncomingMessage } from 'node:http';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { asksForUpgrade, isUpgraded } from '#shared/request/ask-for-upgrade.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { joinUpgraded, type UpgradedConnection } from '#shared/request/join-connections.ts';
import { invalidUpgradeAnswer, relayRefusal } from '#shared/request/relay/relay-refusal.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { goUserAgent, plainError } from './kubelet-request.ts';
import { targetHeaders, type TargetHeaders } from './target-headers.ts';
import { UpgradeFailure, upgradeToKubelet } from './upgrade-to-kubelet.ts';

/**
 * Passes an upgrade on unchanged: the kubelet's response goes to the client, and then every byte in both directions
 * (apimachinery pkg/util/proxy, UpgradeAwareHandler). Resolves when the two connections are joined.
 */
export async function passUpgradeOn(
  context: RequestContext,
  kubelets: KubeletConnections,
  kubelet: KubeletEndpoint,
  path: string,
): Promise<void> {
  if (!asksForUpgrade(context.exchange)) throw newBadRequest('Upgrade request required');
  const { exchange } = context;
  const answer = await askForUpgrade(context, kubelets, kubelet, {
    method: exchange.method,
    path,
    headers: clientHeaders(context).set('Upgrade', String(exchange.headers['upgrade'])),
  });
  if (answer === undefined) return;
  if (isUpgraded(answer)) joinUpgraded(exchange, answer);
  else passRefusalOn(exchange, answer);
}

/**
 * Sends an upgrade request to a kubelet. Undefined if the client has disconnected meanwhile. Throws the reference's
 * error if the kubelet cannot be reached.
 */
export async function askForUpgrade(
  context: RequestContext,
  kubelets: KubeletConnections,
  kubelet: KubeletEndpoint,
  request: Parameters<typeof upgradeToKubelet>[2],
): Promise<UpgradedConnection | IncomingMessage | undefined> {
  const { exchange } = context;
  try {
    return await upgradeToKubelet(kubelets, kubelet, request, (asked) => exchange.onClose(() => asked.destroy()));
  } catch (error) {
    if (exchange.closed) return undefined;
    if (!(error instanceof UpgradeFailure)) throw error;
    throw plainError(error.isDialing ? `error dialing backend: ${error.message}` : error.message);
  }
}

/** The client's headers as an upgrade request passes them on (apimachinery pkg/util/proxy, UpgradeAwareHandler). */
export function clientHeaders({ exchange }: RequestContext): TargetHeaders {
  const headers = targetHeaders(exchange);
  if (!headers.has('User-Agent')) headers.set('User-Agent', goUserAgent);
  return headers;
}

/** Passes a kubelet's error response to the client; any other response to an upgrade is invalid and gives a 500. */
export function passRefusalOn(exchange: Exchange, answer: IncomingMessage): void {
  const invalid = invalidUpgradeAnswer(answer);
  if (invalid !== undefined) throw plainError(invalid);
  relayRefusal(exchange, answer);
}
