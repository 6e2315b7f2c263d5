import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import type { ApiClient } from '#test/api-client.ts';
import type { ClusterAddress } from '#test/api-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Something that listens where a kubelet would, and asks its callers for their certificate. Tests say what it answers.
 */
export interface FakeKubelet {
  readonly port: number;
  /** Method, path and the common name of the caller, of all requests so far. */
  readonly asked: string[];
  answer: Answer;
  upgrade: Upgrade;
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): void;
}

export async function startFakeKubelet(cluster: ClusterAddress): Promise<FakeKubelet> {
  const serving = await (await createTestCa('CN=kubelet-ca')).issue('CN=kubelet', 'server');
  const server = createServer({
    ...serving,
    ca: readFileSync(join(cluster.pki, 'ca.crt')),
    requestCert: true,
    rejectUnauthorized: false,
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const kubelet: FakeKubelet = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    sockets,
    answer: (_request, response) => response.writeHead(500).end('nothing was said'),
    upgrade: (_request, socket) => socket.destroy(),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  const note = (request: IncomingMessage): void =>
    void kubelet.asked.push(
      `${request.method} ${request.url} ${String((request.socket as TLSSocket).getPeerCertificate().subject?.CN)}`,
    );
  server.on('request', (request, response) => {
    note(request);
    kubelet.answer(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    socket.on('error', () => undefined);
    kubelet.upgrade(request, socket, head);
  });
  return kubelet;
}

/** A node whose kubelet listens at the port, and a pod on it with a container each. */
export async function addNodeWithPod(
  admin: ApiClient,
  node: string,
  port: number,
  pod: string,
  containers: readonly string[],
  declaredFeatures: readonly string[] = [],
): Promise<void> {
  const send = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await admin.send('POST', path, { body });
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${status} ${text}`);
  };
  await send('/api/v1/nodes', {
    metadata: { name: node },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      declaredFeatures,
    },
  });
  await send('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await send('/api/v1/namespaces/default/pods', {
    metadata: { name: pod },
    spec: { nodeName: node, containers: containers.map((name) => ({ name, image: 'i' })) },
  });
}
