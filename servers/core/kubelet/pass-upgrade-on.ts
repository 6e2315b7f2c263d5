import type { IncomingMessage } from 'node:http';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { asksForUpgrade, isUpgraded } from '#shared/request/ask-for-upgrade.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import { joinUpgraded, type UpgradedConnection } from '#shared/request/join-connections.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { goUserAgent, plainError } from './kubelet-request.ts';
import { targetHeaders, type TargetHeaders } from './target-headers.ts';
import { UpgradeFailure, upgradeToKubelet } from './upgrade-to-kubelet.ts';

/** Headers that concern only the connection to the kubelet. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'transfer-encoding', 'keep-alive', 'trailer']);

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
  else relayRefusal(context, answer);
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
export function relayRefusal({ exchange }: RequestContext, response: IncomingMessage): void {
  const status = response.statusCode ?? 0;
  if (status < 400) {
    response.destroy();
    throw plainError(`invalid upgrade response: status code ${status}`);
  }
  const headers: OutgoingHeaders = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined && !ofConnection.has(name)) setKey(headers, name, value);
  const stream = exchange.stream(status, { ...headers, connection: 'close' });
  stream.onDrain(() => response.resume());
  response.on('data', (chunk: Buffer) => {
    if (!stream.write(chunk)) response.pause();
  });
  response.on('end', () => stream.end());
  response.on('error', () => stream.abort());
}
