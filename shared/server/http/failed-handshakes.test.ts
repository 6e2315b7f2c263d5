import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { listenTls } from './tls-listener.ts';

// Expected bytes: net/http of Go 1.26 (server.go, serve), and kube-apiserver 1.36.3 when asked so.
const plainAnswer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

let listener: Listener;
const told: string[] = [];
before(async () => {
  const pair = await (await createTestCa()).issue('CN=server');
  listener = await listenTls(
    { host: '127.0.0.1', port: 0, ...pair, onHandshakeError: (peer, reason) => told.push(`${peer}: ${reason}`) },
    () => assert.fail('a request without a handshake'),
  );
});
after(() => listener.destroy());

describe('failed handshakes', () => {
  for (const method of ['GET / HTTP/1.1', 'POST /api HTTP/1.1', 'OPTIONS * HTTP/1.1']) {
    test(`${method} without TLS is answered by 400, and told with the peer`, async () => {
      const socket = connect(listener.port, '127.0.0.1');
      await once(socket, 'connect');
      const peer = `127.0.0.1:${socket.localPort}`;
      socket.write(`${method}\r\nHost: a\r\n\r\n`);
      assert.equal(await text(socket), plainAnswer);
      assert.deepEqual(told.splice(0), [`${peer}: client sent an HTTP request to an HTTPS server`]);
    });
  }

  test('a version of TLS that is too old is told by its reason alone', async () => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: listener.port,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await once(socket, 'error');
    assert.equal(told.length, 1);
    assert.match(told.splice(0)[0] ?? '', /^127\.0\.0\.1:\d+: unsupported protocol$/);
  });
});
