import { request as httpsRequest } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { upgradeAnswer } from '../../../shared/request/ask-for-upgrade.ts';
import { goNetworkError } from '../../../shared/request/go-network-error.ts';
import type { UpgradedConnection } from '../../../shared/request/join-connections.ts';
import type { TargetHeaders } from './target-headers.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { limitConnecting } from './kubelet-request.ts';

export interface UpgradeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** `Connection` and the length of the body, which there is none, are written here. */
  readonly headers: TargetHeaders;
}

/**
 * The kubelet did not answer. The message is worded as Go's network packages do; `isDialing` says that the failure came
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
 * Asks a kubelet to upgrade a connection of its own. Resolves with that connection, or with the answer of a kubelet
 * that does not want to; rejects with an {@link UpgradeFailure}. `onBegin` gets what ends it early.
 */
export async function upgradeToKubelet(
  kubelets: KubeletConnections,
  kubelet: KubeletEndpoint,
  { method, path, headers }: UpgradeRequest,
  onBegin: (request: ClientRequest) => void,
): Promise<UpgradedConnection | IncomingMessage> {
  const request = httpsRequest({
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
    return await upgradeAnswer(request);
  } catch (error) {
    const isHangUp = connected && error instanceof Error && error.message === 'socket hang up';
    throw new UpgradeFailure(isHangUp ? 'unexpected EOF' : goNetworkError(error, kubelet.authority), !connected);
  }
}
