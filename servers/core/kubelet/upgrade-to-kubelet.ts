import { request as httpsRequest } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import { goNetworkError } from '../../../shared/request/go-network-error.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { limitConnecting } from './kubelet-request.ts';

/** The kubelet speaks another protocol on this connection from now on. */
export interface UpgradedConnection {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  /** What came behind its answer. */
  readonly head: Buffer;
}

export interface UpgradeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names and values in turn; `Connection` and `Host` are written here. */
  readonly headers: readonly string[];
}

/** Nobody answered: the words of Go's network packages, and whether that was so before the request could be sent. */
export class UpgradeFailure extends Error {
  readonly isDialing: boolean;

  constructor(message: string, isDialing: boolean) {
    super(message);
    this.isDialing = isDialing;
  }
}

/**
 * Asks a kubelet to upgrade a connection of its own. Resolves with that connection, or with the answer of a kubelet that
 * does not want to; rejects with an {@link UpgradeFailure}. `onBegin` gets what ends it early.
 */
export function upgradeToKubelet(kubelets: KubeletConnections, kubelet: KubeletEndpoint, { method, path, headers }: UpgradeRequest, onBegin: (request: ClientRequest) => void): Promise<UpgradedConnection | IncomingMessage> {
  const request = httpsRequest({
    ...kubelets.tls(), host: kubelet.hostname, port: kubelet.port, agent: false, setHost: false, method, path,
    headers: ['Host', kubelet.authority, ...headers, 'Connection', 'Upgrade'] as never,
  });
  let connected = false;
  request.once('socket', (socket) => (socket as TLSSocket).once('secureConnect', () => (connected = true)));
  limitConnecting(request);
  onBegin(request);
  return new Promise((resolve, reject) => {
    request.on('upgrade', (response, socket, head) => {
      socket.on('error', () => socket.destroy());
      resolve({ response, socket, head });
    });
    request.on('response', resolve);
    // Without the headers of an upgrade it is no answer, and nothing else will come.
    request.on('information', ({ statusCode }) => {
      if (statusCode === 101) request.destroy(new Error('unable to upgrade: missing upgrade headers in response'));
    });
    request.on('error', (error: NodeJS.ErrnoException) => reject(new UpgradeFailure(connected && error.message === 'socket hang up' ? 'unexpected EOF' : goNetworkError(error, kubelet.authority), !connected)));
    request.end();
  });
}

export function isUpgraded(answer: UpgradedConnection | IncomingMessage): answer is UpgradedConnection {
  return 'socket' in answer && 'head' in answer;
}
