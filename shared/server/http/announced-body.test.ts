import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { listenTls } from './tls-listener.ts';

let server: Listener;
let session: ClientHttp2Session;

before(async () => {
  const ca = await createTestCa('CN=bodies');
  server = await listenTls({ host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')) }, (exchange) =>
    exchange.send(200, { 'x-has-body': String(exchange.hasBody) }),
  );
  session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
});
after(() => {
  session.destroy();
  server.destroy();
});

describe('Exchange.hasBody over HTTP/1.1', () => {
  async function hasBody(head: string): Promise<boolean> {
    const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write(`${head}\r\nHost: a\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return /x-has-body: true/i.test(String(answer));
  }

  test('is false for a request without framing headers, and for a length of 0', async () => {
    assert.equal(await hasBody('GET / HTTP/1.1'), false);
    assert.equal(await hasBody('POST / HTTP/1.1'), false);
    assert.equal(await hasBody('POST / HTTP/1.1\r\nContent-Length: 0'), false);
  });

  test('is true for a length and for a chunked body, whatever the method', async () => {
    for (const method of ['GET', 'DELETE', 'POST']) {
      assert.equal(await hasBody(`${method} / HTTP/1.1\r\nContent-Length: 5`), true, method);
      assert.equal(await hasBody(`${method} / HTTP/1.1\r\nTransfer-Encoding: chunked`), true, method);
    }
  });
});

describe('Exchange.hasBody over HTTP/2', () => {
  async function hasBody(headers: Record<string, string>, endStream: boolean): Promise<boolean> {
    const stream = session.request({ ':path': '/', ...headers }, { endStream });
    const [answer] = (await once(stream, 'response')) as [Record<string, string>];
    stream.on('error', () => undefined).destroy();
    return answer['x-has-body'] === 'true';
  }

  test('is false for a stream that ends with its headers', async () => {
    for (const method of ['GET', 'DELETE', 'POST']) assert.equal(await hasBody({ ':method': method }, true), false);
  });

  test('is true for a stream that stays open, whatever the method', async () => {
    for (const method of ['GET', 'DELETE', 'POST'])
      assert.equal(await hasBody({ ':method': method }, false), true, method);
  });

  test('is false for a length of 0 on a stream that stays open', async () => {
    assert.equal(await hasBody({ ':method': 'POST', 'content-length': '0' }, false), false);
  });
});
