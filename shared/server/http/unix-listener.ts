import { chmodSync, rmSync } from 'node:fs';
import { createServer as createNetServer, type Socket } from 'node:net';
import { serveHop, type HopServerConnection } from '../hop/serve-hop.ts';
import { createHttp1Server } from './http1-server.ts';
import type { ExchangeHandler, Listener } from './listener.ts';

/**
 * The internal listener: HTTP/1.1, and by upgrade the frames of `shared/server/hop`, on a Unix socket in a folder that only
 * the user can open. Whoever can connect is believed, so the path must not lie anywhere else. A stale socket file is removed.
 */
export async function listenUnix(path: string, onExchange: ExchangeHandler): Promise<Listener> {
  const hops = new Set<HopServerConnection>();
  const http1 = createHttp1Server('internal', onExchange, (socket, head) => {
    const hop = serveHop(socket, head, onExchange);
    hops.add(hop);
    socket.on('close', () => hops.delete(hop));
  });
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
      for (const hop of hops) hop.stopAccepting();
    },
    destroy() {
      for (const hop of hops) hop.flush();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
