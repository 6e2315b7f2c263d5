import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { toStatus } from '#shared/apimachinery/errors/status.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import { RequestState } from '#shared/server/request-state.ts';
import { BackendPool } from './backend-pool.ts';
import { Backend } from './backend.ts';
import { forward } from './forward.ts';
import { call, cleanups, directory, startBackend, startRig, user } from './testing/forward-rig.ts';

after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
  rmSync(directory, { recursive: true, force: true });
});

describe('forward to a backend', () => {
  test('sends the identity that the gateway authenticated, and drops identity headers of the client', async () => {
    const rig = await startRig((exchange) =>
      exchange.send(
        200,
        { 'content-type': 'application/json' },
        JSON.stringify({ ...exchange.headers, path: exchange.path, query: exchange.query }),
      ),
    );
    const { response, text } = await call(rig.front, '/api/v1/pods%2fx?a=b%20c', {
      headers: {
        'X-Remote-User': 'admin',
        'x-remote-group': 'system:masters',
        authorization: 'Bearer x',
        'impersonate-user': 'root',
        'x-quarterdeck-age-ms': '86400000',
        accept: 'a/b',
      },
    });
    const seen = JSON.parse(text) as Record<string, string>;
    assert.equal(response.statusCode, 200);
    assert.equal(seen['path'], '/api/v1/pods%2fx');
    assert.equal(seen['query'], 'a=b%20c');
    assert.equal(seen['x-remote-user'], 'bob');
    assert.match(seen['x-remote-group'] ?? '', /^g1, ?g2$/);
    assert.equal(seen['audit-id'], 'audit-1');
    assert.equal(seen['accept'], 'a/b');
    assert.equal(seen['authorization'] ?? seen['impersonate-user'], undefined);
    assert.notEqual(seen['x-quarterdeck-age-ms'], '86400000');
  });

  test('passes request and response bodies on, with Content-Length and chunked', async () => {
    const rig = await startRig((exchange) => {
      const stream = exchange.stream(200, {});
      exchange.body.on('data', (chunk: Buffer) => stream.write(chunk)).on('end', () => stream.end());
    });
    const big = 'x'.repeat(1_000_000);
    assert.equal(
      (await call(rig.front, '/x', { method: 'POST', headers: { 'content-length': String(big.length) } }, big)).text,
      big,
    );
    assert.equal(
      (await call(rig.front, '/x', { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } }, big)).text,
      big,
    );
    assert.equal((await call(rig.front, '/x', { method: 'DELETE' })).text, '');
  });

  test('aborts the request at the backend when the client disconnects', async () => {
    const gone = Promise.withResolvers<void>();
    const rig = await startRig((exchange) => {
      exchange.stream(200, {}).write('first');
      exchange.onClose(() => gone.resolve());
    });
    const request = httpRequest({ socketPath: rig.front, path: '/watch', agent: false });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    request.destroy();
    await gone.promise;
    assert.equal(rig.backend.outstanding, 0);
  });

  test('breaks the connection to the client when the backend breaks off its response', async () => {
    const rig = await startRig((exchange) => {
      const stream = exchange.stream(200, {});
      stream.write('half');
      stream.abort();
    });
    await assert.rejects(call(rig.front, '/x'));
  });

  test('stops reading from the backend while the client does not read', async () => {
    let written = 0;
    const rig = await startRig((exchange) => {
      const stream = exchange.stream(200, {});
      const chunk = Buffer.alloc(65_536);
      const pump = (): void => {
        while (written < 64 * 1024 * 1024) {
          written += chunk.length;
          if (!stream.write(chunk)) return;
        }
        stream.end();
      };
      stream.onDrain(pump);
      pump();
    });
    const request = httpRequest({ socketPath: rig.front, path: '/x', agent: false });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let previous = -1;
    while (written !== previous) {
      previous = written;
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(written < 16 * 1024 * 1024, `${written} bytes without a reader`);
    let total = 0;
    for await (const chunk of response) total += (chunk as Buffer).length;
    assert.equal(total, 64 * 1024 * 1024);
  });

  test('answers 503 with Retry-After while the backend is down, and reaches it again once it is up', async () => {
    const rig = await startRig((exchange) => exchange.send(200, {}, 'one'));
    assert.equal((await call(rig.front, '/x')).text, 'one');
    rig.source.close();
    rig.listener.destroy();
    const away = await call(rig.front, '/x', { method: 'POST', headers: { 'content-length': '2' } }, '{}');
    assert.equal(away.response.statusCode, 503);
    assert.equal(JSON.parse(away.text).details.retryAfterSeconds, 1);
    const again = await startBackend(rig.back, (exchange) => exchange.send(200, {}, 'two'));
    cleanups.push(() => {
      again.source.close();
      again.listener.destroy();
    });
    while (!rig.backend.usable) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await call(rig.front, '/x')).text, 'two');
  });

  test('repeats a GET whose connection broke before the response, but not a POST', async () => {
    let seen = 0;
    const rig = await startRig((exchange) => {
      seen++;
      if (seen % 2 === 1) exchange.body.destroy();
      else exchange.send(200, {}, 'second');
    });
    assert.equal((await call(rig.front, '/x')).text, 'second');
    const write = await call(rig.front, '/x', { method: 'POST', headers: { 'content-length': '2' } }, '{}');
    assert.equal(write.response.statusCode, 503);
    assert.equal(JSON.parse(write.text).details, undefined);
    assert.equal(seen, 3);
  });

  test('tries no more than two backends for a GET that kills each of them', async () => {
    const taken: number[] = [];
    const servers = await Promise.all(
      [0, 1, 2, 3].map(async (number) => {
        const path = join(directory, `dying-${number}.sock`);
        const { listener, source } = await startBackend(path, () => {
          taken.push(number);
          listener.destroy();
        });
        const heard = Promise.withResolvers<void>();
        const backend = new Backend(
          path,
          () => connect({ path }),
          () => heard.resolve(),
        );
        await heard.promise;
        cleanups.push(() => {
          backend.close();
          source.close();
          listener.destroy();
        });
        return backend;
      }),
    );
    const pool = new BackendPool('core', servers);
    const front = join(directory, 'before-dying.sock');
    const door = await listenUnix(front, (exchange) => {
      const context = new RequestState(exchange);
      context.user = user;
      context.auditId = 'audit-1';
      forward(context, pool).catch((error: unknown) => exchange.send(toStatus(error).code, {}, ''));
    });
    cleanups.push(() => door.destroy());
    const { response } = await call(front, '/api/v1/pods');
    assert.equal(response.statusCode, 503);
    assert.equal(taken.length, 2);
  });

  test('joins both connections after a 101, and passes a refused upgrade on as an ordinary response', async () => {
    const rig = await startRig((exchange) => {
      if (exchange.path === '/no') return exchange.send(403, {}, 'no');
      const taken = exchange.upgrade();
      taken?.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Who: ' +
          String(exchange.headers['x-remote-user']) +
          '\r\n\r\n',
      );
      taken?.socket.pipe(taken.socket);
    });
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-remote-user': 'admin' };
    const request = httpRequest({ socketPath: rig.front, path: '/exec', method: 'POST', agent: false, headers });
    request.end();
    const [response, socket] = await once(request, 'upgrade');
    assert.equal(response.headers['x-who'], 'bob');
    socket.write('ping');
    const [echo] = await once(socket, 'data');
    assert.equal(String(echo), 'ping');
    socket.destroy();
    const refused = await call(rig.front, '/no', { method: 'POST', headers });
    assert.equal(refused.response.statusCode, 403);
    assert.equal(refused.text, 'no');
  });

  test('answers 400 when the backend upgrades a connection that Node did not parse as an upgrade', async () => {
    let upgraded = 0;
    const rig = await startRig((exchange) => {
      upgraded++;
      exchange
        .upgrade()
        ?.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    });
    const { response } = await call(rig.front, '/exec', {
      method: 'POST',
      headers: { connection: 'x-upgrade', upgrade: 'SPDY/3.1' },
    });
    assert.equal(response.statusCode, 400);
    assert.equal(upgraded, 1);
  });

  test('treats a request with Upgrade but without Connection: Upgrade as a plain request', async () => {
    const rig = await startRig((exchange) =>
      exchange.send(200, {}, exchange.upgrade() === undefined ? 'plain' : 'upgraded'),
    );
    const { text } = await call(rig.front, '/exec', { headers: { upgrade: 'websocket' } });
    assert.equal(text, 'plain');
  });
});
