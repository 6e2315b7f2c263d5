import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { kubeconfigFor } from '#shared/audit/sinks/testing/event-server.ts';

/** A webhook that does not keep up with the events. */
export interface FaultyWebhook {
  /** Writes a kubeconfig that names it. */
  writeKubeconfig(file: string): void;
  close(): Promise<void>;
}

/** One that takes connections and what comes on them, and never answers. */
export async function startHangingWebhook(): Promise<FaultyWebhook> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    writeKubeconfig: (file) => writeFileSync(file, kubeconfigFor(`http://127.0.0.1:${port}/`)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
