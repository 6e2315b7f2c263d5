import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import { frame, preface, request, settings, uint32, upload } from '#shared/http2/testing/raw-client.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { farewellMs, sendCloseNotify } from '#shared/tls/close-notify.ts';
import { connectTapped, type TappedClient } from '#shared/tls/testing/tapped-client.ts';
import { endExchange } from './end-exchange.ts';
import { createHttp1Server } from './http1-server.ts';
import { limits } from './limits.ts';
import { listenTls } from './tls-listener.ts';

// RFC 8446 section 6.1: each party must send close_notify before it closes its half of the connection.

let pair: { readonly cert: string; readonly key: string };
before(async () => {
  pair = await (await createTestCa()).issue('CN=server');
});

const cleanups: (() => void)[] = [];
after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
});

const endless = Buffer.alloc(64 * 1024);

/** What a handler does by the path. */
const handlers: Readonly<Record<string, (exchange: Exchange) => void>> = {
  '/answer': (exchange) => exchange.send(200, {}, 'answer'),
  '/never': () => undefined,
  '/begun': (exchange) => void exchange.stream(200, {}).write('begun'),
  '/aborted': (exchange) => exchange.stream(200, {}).abort(),
  '/dropped': (exchange) => exchange.dropClient(),
  '/abandoned': (exchange) => exchange.abandon(),
  '/ended': (exchange) => endExchange(exchange),
  '/too-large': (exchange) => void exchange.readBody(10).catch(() => exchange.send(413, {}, 'too large')),
  '/unread': (exchange) => {
    const stream = exchange.stream(200, {});
    const fill = (): void => {
      while (stream.write(endless));
    };
    stream.onDrain(fill);
    fill();
  },
};

function refuse(exchange: Exchange): void {
  exchange.send(400, {}, 'no');
}

async function listen(): Promise<Listener> {
  const listener = await listenTls({ host: '127.0.0.1', port: 0, ...pair }, (exchange) =>
    (handlers[exchange.path] ?? refuse)(exchange),
  );
  cleanups.push(() => listener.destroy());
  return listener;
}

async function open(
  port: number,
  protocol: 'h2' | 'http/1.1',
  ...bytes: (Uint8Array | string)[]
): Promise<TappedClient> {
  const client = await connectTapped(port, protocol);
  cleanups.push(() => client.destroy());
  for (const part of bytes) client.tls.write(part);
  return client;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const hello = Buffer.concat([preface, settings()]);
const getFrames = (path: string): Buffer =>
  request(1, [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', path],
  ]);

async function received(client: TappedClient, text: string): Promise<void> {
  while (!client.text().includes(text)) await once(client.tls, 'data');
}

describe('end of a TLS connection', { timeout: 30_000 }, () => {
  for (const [name, protocol, bytes] of [
    ['an answer that is the last', 'http/1.1', 'GET /answer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['an aborted answer', 'http/1.1', get('/aborted')],
    ['a client that is dropped', 'http/1.1', get('/dropped')],
    ['an abandoned answer', 'http/1.1', get('/abandoned')],
    ['an answer that never began', 'http/1.1', get('/ended')],
    ['a malformed request', 'http/1.1', 'GET\r\n\r\n'],
    ['an unknown expectation', 'http/1.1', 'GET /answer HTTP/1.1\r\nHost: a\r\nExpect: a\r\n\r\n'],
    ['a refused CONNECT', 'http/1.1', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an upgrade behind a pending request', 'http/1.1', `${get('/never')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a connection error of HTTP/2', 'h2', Buffer.concat([hello, frame('PING', 0, 0, [1])])],
    ['a preface that is none', 'h2', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a GOAWAY of the client', 'h2', Buffer.concat([hello, frame('GOAWAY', 0, 0, uint32(0, 0))])],
  ] as const)
    test(`is told by close_notify behind ${name}`, async () => {
      const listener = await listen();
      const client = await open(listener.port, protocol, bytes);
      assert.equal(await client.ended, 'close_notify');
    });

  test('is told behind a 413, whose client gets it while it still sends', async () => {
    const listener = await listen();
    const head = 'POST /too-large HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n';
    const client = await open(listener.port, 'http/1.1', head, Buffer.alloc(8 << 20));
    assert.equal(await client.ended, 'close_notify');
    assert.match(client.text(), /^HTTP\/1\.1 413 .*too large$/s);
  });

  for (const [name, protocol, bytes, answer] of [
    ['an idle connection of HTTP/1.1', 'http/1.1', get('/answer'), 'answer'],
    ['an idle connection of HTTP/2', 'h2', Buffer.concat([hello, getFrames('/answer')]), 'answer'],
    ['a running answer of HTTP/1.1', 'http/1.1', get('/begun'), 'begun'],
    ['a running answer of HTTP/2', 'h2', Buffer.concat([hello, getFrames('/begun')]), 'begun'],
    ['a body that is still awaited', 'h2', Buffer.concat([hello, upload(1), frame('DATA', 0, 1, [1])]), ''],
  ] as const)
    test(`is told to ${name} when the listener is destroyed`, async () => {
      const listener = await listen();
      const client = await open(listener.port, protocol, bytes);
      await received(client, answer);
      listener.destroy();
      assert.equal(await client.ended, 'close_notify');
      await listener.ended?.();
    });

  test('comes at once to kept connections of HTTP/1.1 when the listener stops accepting, and not to new ones', async () => {
    const listener = await listen();
    const kept = await open(listener.port, 'http/1.1', get('/answer'));
    await received(kept, 'answer');
    const busy = await open(listener.port, 'http/1.1', get('/begun'));
    await received(busy, 'begun');
    const fresh = await open(listener.port, 'http/1.1');
    const stopped = listener.stopAccepting().then(() => 'late');
    fresh.tls.write(get('/answer'));
    assert.equal(await Promise.race([kept.ended, stopped]), 'close_notify');
    await received(fresh, 'answer');
    await stopped;
    assert.equal(busy.tls.destroyed, false);
  });

  test('is told to a connection of HTTP/1.1 that was idle for too long', async () => {
    const accepted = Promise.withResolvers<{ emit(event: 'timeout'): boolean }>();
    const http = createHttp1Server('public', (exchange) => exchange.send(200, {}, 'answer'));
    const server: Server = createServer({ ...pair, ALPNProtocols: ['http/1.1'] }, (socket) => {
      sendCloseNotify(socket);
      http.accept(socket);
      accepted.resolve(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await open((server.address() as AddressInfo).port, 'http/1.1', get('/'));
    await received(client, 'answer');
    (await accepted.promise).emit('timeout');
    assert.equal(await client.ended, 'close_notify');
    server.close();
    http.close();
  });

  test('drops the bytes behind a request whose client is dropped', async () => {
    const listener = await listen();
    const client = await open(listener.port, 'http/1.1', get('/dropped') + get('/dropped').repeat(20_000));
    assert.notEqual(await client.ended, 'end without close_notify');
  });

  test('does not wait for clients that read nothing', async () => {
    const listener = await listen();
    const stalled = async (protocol: 'h2' | 'http/1.1', bytes: string | Buffer): Promise<void> => {
      const client = await open(listener.port, protocol);
      client.tls.pause();
      client.tls.write(bytes);
    };
    const windows = Buffer.concat([settings([4, 2 ** 31 - 1]), frame('WINDOW_UPDATE', 0, 0, uint32(2 ** 30))]);
    const frames = Buffer.concat([preface, windows, getFrames('/unread')]);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await stalled('http/1.1', get('/unread'));
        await stalled('h2', frames);
      }),
    );
    while (!listener.isSending) await new Promise(setImmediate);
    const startedMs = performance.now();
    listener.destroy();
    await listener.ended?.();
    assert.ok(performance.now() - startedMs < farewellMs + limits.lingerMs);
  });

  test('keeps serving no request behind the last answer', async () => {
    const asked: string[] = [];
    const listener = await listenTls({ host: '127.0.0.1', port: 0, ...pair }, (exchange) => {
      asked.push(exchange.path);
      void exchange.readBody(1).catch(() => exchange.send(413, {}));
    });
    cleanups.push(() => listener.destroy());
    const head = 'POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n';
    const client = await open(listener.port, 'http/1.1', head);
    await received(client, '413');
    client.tls.write(`12345${get('/second')}`);
    assert.equal(await client.ended, 'close_notify');
    assert.deepEqual(asked, ['/first']);
  });
});
