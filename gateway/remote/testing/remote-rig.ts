import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createTestCa } from '../../../shared/server/testing/certificates.ts';
import type { TestCa } from '../../../shared/server/testing/certificates.ts';
import { RemoteServer } from '../remote-server.ts';

/** A registered API server on a free port of this machine, and the gateway's view of it. */
export interface RemoteRig {
  readonly ca: TestCa;
  readonly server: Server;
  readonly remote: RemoteServer;
  /** How often a request found it away. */
  readonly failures: () => number;
  /** Another view of it, with other authorities. */
  view(caBundle: string): RemoteServer;
  close(): void;
}

export type Protocol = 'h2' | 'http/1.1';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** The compatibility layer of node:http2 gives both protocols the same requests and answers. */
export async function startRemote(serve: Serve, protocol: Protocol): Promise<RemoteRig> {
  const ca = await createTestCa();
  const [serving, client] = await Promise.all([ca.issue('CN=s', 'server', undefined, 's.default.svc'), ca.issue('CN=front-proxy-client', 'client')]);
  const tls = { key: serving.key, cert: serving.cert, ca: ca.cert, requestCert: true, rejectUnauthorized: false };
  const listener = (request: unknown, response: unknown): void => void serve(request as IncomingMessage, response as ServerResponse);
  const server: Server = protocol === 'h2' ? createSecureServer(tls, listener) : createServer(tls, listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => { sockets.add(socket.on('close', () => sockets.delete(socket))); });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let failures = 0;
  const views: RemoteServer[] = [];
  const view = (caBundle: string): RemoteServer => {
    const made = new RemoteServer({
      name: 'v1.f.io', resolve: () => `127.0.0.1:${port}`, clientCertificate: client, onFailure: () => { failures++; },
      spec: {
        group: 'f.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: false,
        caBundle: Buffer.from(caBundle).toString('base64'), service: { namespace: 'default', name: 's', port },
      },
    });
    views.push(made);
    return made;
  };
  return {
    ca, server, remote: view(ca.cert), failures: () => failures, view,
    close() {
      for (const made of views) made.close();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
