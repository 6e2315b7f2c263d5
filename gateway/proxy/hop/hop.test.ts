import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { HopTransport } from '#gateway/proxy/hop-transport.ts';
import { toStatus } from '#shared/apimachinery/errors/status.ts';
import { hopFirstAnswerBytes, hopWindowBytes } from '#shared/process/hop/hop-protocol.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import { StreamFlow } from '#shared/request/body-flow.ts';
import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { headerValues } from '#shared/request/header-values.ts';
import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { ForwardedBody } from './request-body.ts';
import type { ForwardRequest, TransportError } from './transport.ts';

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-hop-'));
const cleanups: (() => void)[] = [];
const bodyOf = (source: Readable): ForwardedBody => new ForwardedBody(new StreamFlow(source));
after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
  rmSync(directory, { recursive: true, force: true });
});
let serial = 0;

async function start(serve: (exchange: Exchange) => void): Promise<{ transport: HopTransport; listener: Listener }> {
  const path = join(directory, `${++serial}.sock`);
  const listener = await listenUnix(path, serve);
  const transport = new HopTransport(() => connect({ path }));
  cleanups.push(() => {
    transport.close();
    listener.destroy();
  });
  return { transport, listener };
}

interface Answer {
  status: number;
  headers: OutgoingHeaders;
  text: string;
  trailers: OutgoingHeaders | undefined;
}

/** What a client would see; `taken` false leaves the bytes of the answer untaken. */
class Client implements AnswerHandler {
  readonly answer = Promise.withResolvers<Answer>();
  readonly received: Uint8Array[] = [];
  bytes = 0;
  takes = true;
  #status = 0;
  #headers: OutgoingHeaders = {};
  readonly call: RelayedCall;
  constructor(transport: HopTransport, request: Partial<ForwardRequest> = {}) {
    this.call = transport.forward(
      { method: 'GET', target: '/x', ownLines: '', sharedLines: '', body: undefined, ...request },
      this,
    );
  }
  onWhole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void {
    this.answer.resolve({ status, headers, text: Buffer.from(body ?? []).toString(), trailers: undefined });
  }
  onHead(status: number, headers: OutgoingHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }
  onData(chunk: Uint8Array): boolean {
    this.received.push(chunk);
    this.bytes += chunk.length;
    return this.takes;
  }
  onEnd(trailers: OutgoingHeaders | undefined): void {
    this.answer.resolve({
      status: this.#status,
      headers: this.#headers,
      text: Buffer.concat(this.received).toString(),
      trailers,
    });
  }
  onError(error: TransportError): void {
    this.answer.reject(error);
  }
}

/** Gives bytes for as long as they are taken. */
class Endless extends Readable {
  sent = 0;
  override _read(): void {
    setImmediate(() => {
      this.sent += 16_384;
      this.push(Buffer.alloc(16_384));
    });
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('hop between gateway and backend', () => {
  test('passes request and response headers unchanged, repeated headers as separate values', async () => {
    const { transport } = await start((exchange) =>
      exchange.send(
        200,
        { 'x-list': ['a', 'b'] },
        JSON.stringify({
          groups: headerValues(exchange, 'x-remote-group'),
          path: exchange.path,
          query: exchange.query,
          id: exchange.headers['audit-id'],
        }),
      ),
    );
    for (const id of ['1', '2']) {
      const { headers, text } = await new Client(transport, {
        target: '/a?b=c',
        ownLines: `audit-id: ${id}\r\n`,
        sharedLines: 'X-Remote-Group: g,1\r\nX-Remote-Group: g2\r\n',
      }).answer.promise;
      assert.deepEqual(JSON.parse(text), { groups: ['g,1', 'g2'], path: '/a', query: 'b=c', id });
      assert.deepEqual(headers['x-list'], ['a', 'b']);
    }
  });

  test('answers HEAD with Content-Length and without a body', async () => {
    const { transport } = await start((exchange) => exchange.send(200, {}, 'hello'));
    const { headers, text } = await new Client(transport, { method: 'HEAD' }).answer.promise;
    assert.deepEqual([headers['content-length'], text], ['5', '']);
  });

  test('passes trailers at the end of a response', async () => {
    const { transport } = await start((exchange) => {
      const stream = exchange.stream(200, { trailer: 'x-sum' });
      stream.write('abc');
      stream.end({ 'x-sum': '6' });
    });
    const { text, trailers } = await new Client(transport).answer.promise;
    assert.deepEqual([text, trailers], ['abc', { 'x-sum': '6' }]);
  });

  test('delivers a buffer shared by many watches to each of them in full', async () => {
    const streams: ResponseStream[] = [];
    const { transport } = await start((exchange) => void streams.push(exchange.stream(200, {})));
    const clients = Array.from({ length: 5 }, () => new Client(transport));
    while (streams.length < 5) await settled();
    clients[2]?.call.abort();
    const [first, second] = [Buffer.from('first'), Buffer.from('second')];
    for (const stream of streams) stream.write(first);
    for (const stream of streams) stream.write(second);
    streams[0]?.write(first);
    for (const stream of streams) stream.end();
    const texts = await Promise.all(
      clients.filter((_, at) => at !== 2).map(async ({ answer }) => (await answer.promise).text),
    );
    assert.deepEqual(texts, ['firstsecondfirst', 'firstsecond', 'firstsecond', 'firstsecond']);
  });

  test('stops an answer whose client does not read, while other answers proceed', async () => {
    const size = 8 * hopWindowBytes;
    const { transport } = await start((exchange) =>
      exchange.send(200, {}, exchange.path === '/big' ? Buffer.alloc(size, 'x') : 'small'),
    );
    const slow = new Client(transport, { target: '/big' });
    slow.takes = false;
    await settled();
    assert.ok(slow.bytes >= hopFirstAnswerBytes && slow.bytes < 2 * hopFirstAnswerBytes, `${slow.bytes} bytes`);
    assert.equal((await new Client(transport).answer.promise).text, 'small');
    slow.takes = true;
    slow.call.resume();
    assert.equal((await slow.answer.promise).text.length, size);
  });

  test('reads a request body only as fast as the handler does, and answers 413 beyond its limit', async () => {
    const outcomes: string[] = [];
    const { transport } = await start((exchange) => {
      if (exchange.path === '/unread') return;
      exchange.readBody(1_000_000).then(
        (body) => exchange.send(200, {}, String(body.length)),
        (error: unknown) => {
          outcomes.push('refused');
          exchange.send(toStatus(error).code, {});
        },
      );
    });
    const unread = new Endless();
    const waiting = new Client(transport, { method: 'POST', target: '/unread', body: bodyOf(unread) });
    await settled();
    assert.ok(unread.sent < 2 * hopWindowBytes, `${unread.sent} bytes`);
    waiting.call.abort();
    unread.destroy();
    assert.equal(
      (
        await new Client(transport, {
          method: 'POST',
          body: bodyOf(Readable.from([Buffer.alloc(300_000), Buffer.alloc(400_000)])),
        }).answer.promise
      ).text,
      '700000',
    );
    const tooMuch = new Endless();
    assert.equal((await new Client(transport, { method: 'POST', body: bodyOf(tooMuch) }).answer.promise).status, 413);
    tooMuch.destroy();
    assert.deepEqual(outcomes, ['refused']);
  });

  test('rejects the reading of a body with 504 when the client disconnects in the middle', async () => {
    const failed = Promise.withResolvers<unknown>();
    const { transport } = await start((exchange) => void exchange.readBody(1000).catch(failed.resolve));
    const client = new Client(transport, {
      method: 'POST',
      body: bodyOf(new Readable({ read: () => undefined })),
    });
    await settled();
    client.call.abort();
    assert.equal(toStatus(await failed.promise).code, 504);
  });

  test('reports a request as not sent when the backend no longer accepts requests', async () => {
    const { transport, listener } = await start((exchange) => exchange.send(200, {}, 'one'));
    await new Client(transport).answer.promise;
    void listener.stopAccepting();
    await assert.rejects(new Client(transport).answer.promise, (error: TransportError) => !error.sent);
  });

  test('fails the requests in flight when the connection is lost, and dials again for the next', async () => {
    const { transport, listener } = await start(() => undefined);
    const client = new Client(transport);
    await settled();
    listener.destroy();
    await assert.rejects(client.answer.promise, (error: TransportError) => error.sent);
    await assert.rejects(new Client(transport).answer.promise, (error: TransportError) => !error.sent);
  });

  test('delivers answers that were sent just before the listener is destroyed', async () => {
    const { transport, listener } = await start((exchange) => {
      exchange.send(200, {}, 'last');
      listener.destroy();
    });
    assert.equal((await new Client(transport).answer.promise).text, 'last');
  });

  test('leaves the bytes of an answer unchanged until the client has written them', async () => {
    const path = join(directory, `${++serial}.sock`);
    const listener = await listenUnix(path, (exchange) =>
      exchange.send(200, {}, Buffer.alloc(3_000_000 + exchange.path.length, exchange.path.slice(1))),
    );
    const transport = new HopTransport((onread) => connect({ path, ...(onread === undefined ? {} : { onread }) }));
    cleanups.push(() => {
      transport.close();
      listener.destroy();
    });
    const bodies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => `x${at}y`).map(
        (text, at) =>
          new Promise<readonly [text: string, body: string]>((resolve, reject) => {
            let body = '';
            let waiting = 0;
            let ended = false;
            const settle = (): void => {
              if (ended && waiting === 0) resolve([text, body]);
            };
            const call = transport.forward(
              { method: 'GET', target: `/${text}`, ownLines: '', sharedLines: '', body: undefined },
              {
                onWhole: () => reject(new Error('one frame')),
                onHead: () => undefined,
                onData: (chunk, written) => {
                  waiting++;
                  // As a transport does that has other writes before this one.
                  setTimeout(() => {
                    body += Buffer.from(chunk).toString();
                    written?.();
                    waiting--;
                    call.resume();
                    settle();
                  }, at % 4);
                  return at % 3 !== 0;
                },
                onEnd: () => {
                  ended = true;
                  settle();
                },
                onError: reject,
              },
            );
          }),
      ),
    );
    for (const [text, body] of bodies) {
      assert.equal(body.length, 3_000_000 + text.length + 1);
      assert.ok(body === Buffer.alloc(body.length, text).toString(), text);
    }
  });
});
