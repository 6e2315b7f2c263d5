import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** A registered API server that is no more than its answers: at all addresses, for the group `extended.example`. */
export interface ExtensionServer {
  readonly port: number;
  close(): void;
}

const groupVersion = 'extended.example/v1';
const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [{ name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] }],
};
const missing = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'things.extended.example "missing" not found',
  reason: 'NotFound',
  details: { name: 'missing', group: 'extended.example', kind: 'things' },
  code: 404,
};

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, json).end(JSON.stringify(body));
}

function raw(text: string): Behaviour {
  return ({ socket }) => void socket.end(text);
}

/** Sends the beginning of an answer, and soon after closes the connection. */
function brokenOff(headers: OutgoingHttpHeaders, begun: string): Behaviour {
  return ({ socket }, response) => {
    response.writeHead(200, { ...json, ...headers });
    response.write(begun);
    setTimeout(() => socket.destroy(), breakAfterMs);
  };
}

const breakAfterMs = 100;
const added = JSON.stringify({ type: 'ADDED', object: { kind: 'Thing', apiVersion: groupVersion } });

/** What is answered, by the last segment of the path. */
const behaviours: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['v1', (_, response) => send(response, 200, resources)],
  ['missing', (_, response) => send(response, 404, missing)],
  ['failing', (_, response) => send(response, 500, { kind: 'Odd', message: 'no Status' })],
  ['no-answer', ({ socket }) => void socket.destroy()],
  ['hanging', () => undefined],
  ['short', brokenOff({ 'content-length': '1000' }, '{"kind":')],
  ['broken', brokenOff({ 'content-length': '1000000' }, '{"kind":')],
  ['chunks', brokenOff({}, '{"kind":')],
  ['stalled', (_, response) => void response.writeHead(200, json).write('{"kind":')],
  ['no-json', (_, response) => void response.writeHead(200, json).end('<html>&')],
  ['no-http', raw('SSH-2.0-OpenSSH_9.9\r\n\r\n')],
  ['odd-length', raw('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n')],
  ['odd-chunk', raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')],
  ['no-more', raw('HTTP/1.1 200 OK\r\nContent-')],
  ['elsewhere', (_, response) => void response.writeHead(302, { location: 'https://localhost/' }).end()],
  ['empty', (_, response) => void response.writeHead(204).end()],
  ['warned', (_, response) => void response.writeHead(200, { ...json, warning: '299 - "odd"' }).end('{}')],
  ['watched', (_, response) => void response.writeHead(200, json).end(`${added}\n${added}\n`)],
]);

function answer(request: IncomingMessage, response: ServerResponse): void {
  const name = new URL(request.url ?? '/', 'https://localhost').pathname.split('/').at(-1) ?? '';
  request.resume();
  const behaviour = behaviours.get(name);
  if (behaviour !== undefined) behaviour(request, response);
  else if (request.method === 'POST')
    send(response, 201, { kind: 'Thing', apiVersion: groupVersion, metadata: { name: 'a' } });
  else send(response, 200, { kind: 'ThingList', apiVersion: groupVersion, metadata: {}, items: [] });
}

/** Takes upgrades of `joined`, closes the connections of others. */
function upgrade(request: IncomingMessage, socket: Duplex): void {
  if (!(request.url ?? '').includes('/joined')) return void socket.destroy();
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  setTimeout(() => socket.end(), breakAfterMs);
}

export async function startExtensionServer(): Promise<ExtensionServer> {
  const pair = await (await createTestCa('CN=extensions')).issue('CN=localhost', 'server');
  const sockets = new Set<Socket>();
  const server = createServer(pair, answer);
  server.on('upgrade', upgrade);
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  await new Promise<void>((listening) => server.listen(0, listening));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
