import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { Preparation } from '#test/compare/preparation.ts';
import { everyMs, headersOf, type Target } from './target.ts';

const path = '/api/v1/namespaces/default/pods/told/log?follow=true';

/** Where a kubelet would listen: it writes lines of a log without end. */
export interface LogKubelet {
  readonly port: number;
  close(): void;
}

export async function startLogKubelet(): Promise<LogKubelet> {
  const server = createServer(await (await createTestCa('CN=kubelet-ca')).issue('CN=kubelet', 'server'));
  server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('a line\n'), everyMs);
    response.on('close', () => clearInterval(timer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A pod on a node whose kubelet listens at the port. */
export async function preparePod(url: string, port: number): Promise<void> {
  const preparation = new Preparation(url);
  await preparation.create('/api/v1/namespaces', { metadata: { name: 'default' } });
  await preparation.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await preparation.node('told', [{ type: 'InternalIP', address: '127.0.0.1' }], port);
  await preparation.create('/api/v1/namespaces/default/pods', {
    metadata: { name: 'told' },
    spec: { nodeName: 'told', containers: [{ name: 'c', image: 'i' }] },
  });
}

/** Follows the log by a connection of its own, and says how it ends. Resolves when the first lines came. */
export async function followByHttp1(target: Target): Promise<void> {
  const { url, timeline, over } = target;
  const name = 'log by HTTP/1.1';
  const sent = request(`${url}${path}`, { rejectUnauthorized: false, agent: new Agent(), headers: headersOf(target) });
  const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  await once(answer, 'data');
  timeline.note(name, String(answer.statusCode));
  answer.resume().on('close', () => timeline.note(name, answer.complete ? 'ended' : 'cut off'));
  over.addEventListener('abort', () => sent.destroy());
}

export async function followByHttp2(target: Target): Promise<void> {
  const { url, timeline, over } = target;
  const name = 'log by HTTP/2';
  const session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => undefined).on('close', () => timeline.note(`${name} connection`, 'closed'));
  const stream = session.request({ ':path': path, ...headersOf(target) });
  stream.on('error', () => undefined);
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
  await once(stream, 'data');
  timeline.note(name, String(answer[':status']));
  let isWhole = false;
  stream.on('end', () => (isWhole = stream.rstCode === 0 && !stream.aborted)).resume();
  stream.on('close', () => timeline.note(name, isWhole && stream.rstCode === 0 ? 'ended' : 'cut off'));
  over.addEventListener('abort', () => session.destroy());
}
