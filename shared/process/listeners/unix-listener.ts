import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { ExchangeHandler, Listener, OpenListener } from '#shared/server/exchange/listener.ts';
import { InternalConnections } from './internal-connections.ts';

/** {@link listenUnix} in the form that a server opens. */
export function unixListener(path: string): OpenListener {
  return (onExchange) => listenUnix(path, onExchange);
}

/**
 * The internal listener for gateways on the same machine: a Unix socket in a folder that only the user can open. Every
 * peer that can connect is trusted, so the path must be in such a folder. A stale socket file is removed.
 */
export async function listenUnix(path: string, onExchange: ExchangeHandler): Promise<Listener> {
  const connections = new InternalConnections(onExchange);
  const server = createServer((socket) => connections.accept(socket));
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, backlog: 1024 }, resolve);
  });
  // Without a free file descriptor a new connection fails; existing ones continue (descriptor-limit.ts).
  server.on('error', () => undefined);
  chmodSync(path, 0o600);
  return {
    trust: 'internal',
    host: '',
    port: 0,
    path,
    async stopAccepting() {
      server.close();
      connections.stopAccepting();
    },
    unused: () => connections.gone(),
    get isSending() {
      return connections.isSending;
    },
    destroy() {
      connections.destroy();
      server.close();
    },
  };
}
