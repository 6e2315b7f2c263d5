import { chmodSync, rmSync } from 'node:fs';
import { createServer as createNetServer, type Socket } from 'node:net';
import { createHttp1Server } from './http1-server.ts';
import type { ExchangeHandler, Listener } from './listener.ts';

/**
 * The internal listener: HTTP/1.1 on a Unix socket in a folder that only the user can open. Whoever can connect is
 * believed, so the path must not lie anywhere else. A stale socket file is removed.
 */
export async function listenUnix(path: string, onExchange: ExchangeHandler): Promise<Listener> {
  const http1 = createHttp1Server('internal', onExchange);
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    http1.emit('connection', socket);
  });
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, backlog: 1024 }, resolve);
  });
  chmodSync(path, 0o600);
  return {
    host: '',
    port: 0,
    path,
    stopAccepting() {
      server.close();
      http1.closeIdleConnections();
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
