import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { createHttp1Server } from './http1-server.ts';
import { limits } from './limits.ts';

const heads = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
];

describe('HTTP/1.1 server', () => {
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
