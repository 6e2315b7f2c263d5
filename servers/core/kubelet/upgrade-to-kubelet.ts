import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { isUpgraded, upgradeAnswer } from '#shared/request/ask-for-upgrade.ts';
import { DirectReads } from '#shared/request/direct-reads.ts';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import type { UpgradedConnection } from '#shared/request/join-connections.ts';
import { limitRate } from '#shared/request/limit-rate.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { limitConnecting } from './kubelet-request.ts';
import type { TargetHeaders } from './target-headers.ts';

export interface UpgradeRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** `Connection` and, for methods with a body, `Content-Length: 0` are added to these headers. */
  readonly headers: TargetHeaders;
}

/**
 * The kubelet did not respond. The message is that of Go's network packages; `isDialing` means that the failure came
 * before the request could be sent.
 */
export class UpgradeFailure extends Error {
  readonly isDialing: boolean;

  constructor(message: string, isDialing: boolean) {
    super(message);
    this.isDialing = isDialing;
  }
}

/**
 * Sends an upgrade request to a kubelet on a new connection. Resolves with that connection, or with the kubelet's
 * response if it refuses; rejects with an {@link UpgradeFailure}. `onBegin` gets the request, so that the caller can
 * abort it.
 */
export async function upgradeToKubelet(
  kubelets: KubeletConnections,
  kubelet: KubeletEndpoint,
  { method, path, headers }: UpgradeRequest,
  onBegin: (request: ClientRequest) => void,
): Promise<UpgradedConnection | IncomingMessage> {
  const reads = new DirectReads();
  const request = httpsRequest({
    ...reads.requestOptions,
    host: kubelet.hostname,
    port: kubelet.port,
    agent: kubelets.upgradeAgent(),
    setHost: false,
    method,
    path,
  });
  headers.set('Connection', 'Upgrade');
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') headers.set('Content-Length', '0');
  for (const [name, value] of headers) request.setHeader(name, value);
  let connected = false;
  request.once('socket', (socket) => (socket as TLSSocket).once('secureConnect', () => (connected = true)));
  limitConnecting(request);
  onBegin(request);
  try {
    const answer = await upgradeAnswer(request, reads);
    return isUpgraded(answer) ? limitRate(answer, kubelets.bytesPerSecond) : answer;
  } catch (error) {
    const isHangUp = connected && error instanceof Error && error.message === 'socket hang up';
    throw new UpgradeFailure(isHangUp ? 'unexpected EOF' : goNetworkError(error, kubelet.authority), !connected);
  }
}
