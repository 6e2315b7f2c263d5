import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { HopTransport } from '#gateway/proxy/hop-transport.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import { StreamFlow } from '#shared/request/body-flow.ts';
import { ForwardedBody } from './request-body.ts';

/** A body of which it is known whether it was asked for. */
class AskedBody extends Readable {
  wasAsked = false;
  override _read(): void {
    this.wasAsked = true;
    this.push('body');
    this.push(null);
  }
}

describe('body of a client that expects 100', () => {
  test('is read only when the backend reads it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'expected-body-'));
    const path = join(folder, 'socket');
    const listener = await listenUnix(path, (exchange) => {
      if (exchange.path === '/refused') exchange.send(415, {});
      else if (exchange.path === '/whole') void exchange.readBody(100).then((bytes) => exchange.send(200, {}, bytes));
      else exchange.body.on('data', (chunk: Buffer) => exchange.send(200, {}, chunk));
    });
    const transport = new HopTransport(() => connect({ path }));
    t.after(() => {
      transport.close();
      listener.destroy();
      rmSync(folder, { recursive: true });
    });
    for (const [target, answer, wasAsked] of [
      ['/refused', '415 ', false],
      ['/whole', '200 body', true],
      ['/streamed', '200 body', true],
    ] as const) {
      const source = new AskedBody();
      const head = { method: 'POST', target, ownLines: 'expect: 100-continue\r\n', sharedLines: '' };
      const answered = Promise.withResolvers<string>();
      transport.forward(
        { ...head, body: new ForwardedBody(new StreamFlow(source), true) },
        {
          onWhole: (status, _headers, body) => answered.resolve(`${status} ${Buffer.from(body ?? []).toString()}`),
          onHead: () => answered.reject(new Error('short answers come whole')),
          onData: () => true,
          onEnd: () => undefined,
          onError: answered.reject,
        },
      );
      assert.equal(await answered.promise, answer, target);
      await new Promise(setImmediate);
      assert.equal(source.wasAsked, wasAsked, target);
    }
  });
});
