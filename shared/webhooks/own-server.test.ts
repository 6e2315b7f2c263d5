import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { OwnServer } from './own-server.ts';

describe('OwnServer', () => {
  let folder: string;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let distant: string[] = [];
  const file = (name: string): string => join(folder, name);
  const listen = async (server: Server, at: string | number): Promise<Server> => {
    servers.push(server.on('connection', (socket: Socket) => sockets.add(socket)));
    await new Promise<void>((listening) => server.listen(at, listening));
    return server;
  };
  /** What a new connection is greeted with. */
  const greeting = async (): Promise<string> => {
    const own = new OwnServer({
      socket: file('gateway.sock'),
      headers: {},
      distant: {
        addresses: () => Promise.resolve(distant),
        certFile: file('client.crt'),
        keyFile: file('client.key'),
        servingCertFile: file('serving.crt'),
        caFile: file('missing.crt'),
      },
    });
    const socket = await own.connect();
    const [text] = (await socket.take(1).toArray()) as [Buffer];
    return text.toString();
  };

  before(() => void (folder = mkdtempSync(join(tmpdir(), 'own-server-'))));
  after(() => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  test('fails with the reason of the last attempt where there is no gateway', async () => {
    await assert.rejects(greeting(), /ENOENT.*gateway\.sock/);
  });

  test('connects to a gateway on another machine by its certificate, whatever names that has', async () => {
    const ca = await createTestCa();
    const [serving, client] = [await ca.issue('CN=gateway', 'server'), await ca.issue('CN=front-proxy', 'client')];
    writeFileSync(file('serving.crt'), serving.cert);
    writeFileSync(file('client.crt'), client.cert);
    writeFileSync(file('client.key'), client.key);
    const server = createTlsServer({ ...serving, ca: ca.cert, requestCert: true }, (socket: TLSSocket) =>
      socket.end(String(socket.getPeerCertificate().subject.CN)),
    );
    await listen(server, 0);
    distant = ['127.0.0.1:1', `127.0.0.1:${(server.address() as AddressInfo).port}`];
    assert.equal(await greeting(), 'front-proxy');
  });

  test('prefers the socket of its own gateway, then those of others on this machine', async () => {
    await listen(
      createServer((socket) => socket.end('second')),
      file('gateway-2.sock'),
    );
    assert.equal(await greeting(), 'second');
    await listen(
      createServer((socket) => socket.end('first')),
      file('gateway.sock'),
    );
    assert.equal(await greeting(), 'first');
  });
});
