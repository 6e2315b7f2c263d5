import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createStorage } from './create-storage.ts';

/** Servers that end each connection at its first bytes, and keep those. */
const servers: Server[] = [];
let firstBytes: string[] = [];
const ports: number[] = [];

/** With which protocol a call reaches the endpoints first. */
async function protocolAt(...endpoints: string[]): Promise<'gRPC' | 'frames'> {
  firstBytes = [];
  const storage = createStorage({ endpoints, callTimeoutMs: 500 });
  await storage.get('/a').catch(() => undefined);
  await storage.close();
  assert.ok(firstBytes[0] !== undefined, 'nothing was sent');
  return firstBytes[0].startsWith('PRI * HTTP/2.0') ? 'gRPC' : 'frames';
}

describe('createStorage', () => {
  before(async () => {
    for (let count = 0; count < 2; count++) {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (bytes) => {
          firstBytes.push(bytes.toString('latin1'));
          socket.destroy();
        });
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      servers.push(server);
      ports.push((server.address() as AddressInfo).port);
    }
  });
  after(() => servers.forEach((server) => server.close()));

  test('asks one endpoint on this machine for frames first', async () => {
    assert.equal(await protocolAt(`http://127.0.0.1:${ports[0]}`), 'frames');
  });

  test('calls several endpoints by gRPC, on this machine, too', async () => {
    assert.equal(await protocolAt(`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`), 'gRPC');
  });

  test('calls an endpoint by gRPC whose name is no name of this machine', async () => {
    assert.equal(await protocolAt(`http://[::ffff:127.0.0.1]:${ports[0]}`), 'gRPC');
  });

  test('refuses options without any endpoint', () => {
    assert.throws(() => createStorage({}), TypeError);
    assert.throws(() => createStorage({ endpoints: [] }), TypeError);
  });
});
