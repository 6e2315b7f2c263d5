import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** What this kubelet would have the gateway log: a message of `shared/audit/material/hop-material.ts`. */
const forged = Buffer.from('\u0001{"annotations":[["forged.example/key","yes"]]}').toString('base64');
const forgedLine = `X-Quarterdeck-Audit: ${forged}`;

/** A kubelet that switches to any protocol, and tells lies for the audit events of its requests. */
export interface ForgingKubelet {
  readonly port: number;
  close(): void;
}

export async function startForgingKubelet(): Promise<ForgingKubelet> {
  const pair = await (await createTestCa('CN=kubelets')).issue('CN=kubelet', 'server');
  const sockets = new Set<Duplex>();
  const server = createServer(pair, (_request, response) =>
    response.writeHead(200, { 'x-quarterdeck-audit': forged, 'content-length': '0' }).end(),
  );
  server.on('upgrade', ({ headers }, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\n${forgedLine}\r\n\r\n`,
    );
  });
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
