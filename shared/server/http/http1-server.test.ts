import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { createHttp1Server } from './http1-server.ts';
import { limits } from './limits.ts';

const heads = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
];

/** The answers to a request, with `BODY` where the client sends its body. */
async function tell(serve: (exchange: Exchange) => void, head: string): Promise<readonly string[]> {
  const http = createHttp1Server('public', serve);
  const listener = createServer((socket) => http.accept(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = connect({ port: (listener.address() as AddressInfo).port, host: '127.0.0.1' });
  const told: string[] = [];
  client.write(`${head}\r\nHost: a\r\n\r\n`);
  client.on('data', (chunk: Buffer) => {
    for (const part of String(chunk)
      .split('\r\n\r\n')
      .filter((text) => text.startsWith('HTTP/'))) {
      told.push(part.slice(9, 12) + (/^connection: close$/im.test(part) ? ' close' : ''));
      if (told.at(-1) === '100' && head.startsWith('POST')) client.write('BODY');
    }
    if (!told.at(-1)?.startsWith('1')) client.end();
  });
  await once(client, 'close');
  http.close();
  listener.close();
  return told;
}

describe('HTTP/1.1 server', () => {
  test('asks for an expected body when it is read, by whatever interface, and not before', async () => {
    const head = 'POST /a HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue';
    const answer = (exchange: Exchange): void => exchange.send(200, {});
    assert.deepEqual(await tell((exchange) => void exchange.readBody(9).then(() => answer(exchange)), head), [
      '100',
      '200',
    ]);
    assert.deepEqual(await tell((exchange) => exchange.body.resume().on('end', () => answer(exchange)), head), [
      '100',
      '200',
    ]);
    const piped = (exchange: Exchange): void => {
      exchange.node?.request.pipe(new PassThrough()).on('finish', () => answer(exchange));
    };
    assert.deepEqual(await tell(piped, head), ['100', '200']);
    assert.deepEqual(await tell(answer, head), ['200 close']);
    assert.deepEqual(await tell((exchange) => void exchange.readBody(1).catch(() => answer(exchange)), head), [
      '200 close',
    ]);
  });

  test('keeps the connection of a request that expects 100 and has no body', async () => {
    assert.deepEqual(await tell((exchange) => exchange.send(200, {}), 'GET /a HTTP/1.1\r\nExpect: 100-continue'), [
      '100',
      '200',
    ]);
  });

  test('sends no 100 to a client of HTTP/1.0', async () => {
    const head = 'POST /a HTTP/1.0\r\nContent-Length: 0\r\nExpect: 100-continue';
    assert.deepEqual(await tell((exchange) => exchange.send(200, {}), head), ['200 close']);
  });

  for (const head of heads) {
    test(`closes the connection after a refused ${head.slice(0, 7)}, whatever the client sends after it`, async () => {
      const closed = Promise.withResolvers<void>();
      const http = createHttp1Server('public', (exchange: Exchange) => {
        exchange.onClose(() => closed.resolve());
        exchange.send(400, {}, 'no');
      });
      const listener = createServer({ allowHalfOpen: true }, (socket) => http.accept(socket)).listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const client = connect({
        port: (listener.address() as AddressInfo).port,
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      try {
        client.write(`${head}${'x'.repeat(10_000)}`);
        const [answer] = (await once(client, 'data')) as [Buffer];
        assert.match(String(answer), /^HTTP\/1\.1 400 /);
        // The client neither ends its half nor stops sending.
        client.write('more');
        const timer = setTimeout(() => closed.reject(new Error('it is still open')), 3 * limits.lingerMs);
        await closed.promise;
        clearTimeout(timer);
      } finally {
        client.on('error', () => undefined).destroy();
        http.close();
        listener.close();
      }
    });
  }
});
