import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { errorCode, frameFlag, frameHeaderBytes, frameType, newFrame, setting, settingsFrame } from './frames.ts';
import { ServerConnection } from './server-connection.ts';
import type { Http2Stream } from './server-stream.ts';

// The other end is nghttp2, by node:http2.

interface Pair {
  readonly session: ClientHttp2Session;
  readonly connection: Promise<ServerConnection>;
}

async function connected(t: TestContext, onStream: (stream: Http2Stream) => void, settings = {}): Promise<Pair> {
  const { port, connection } = await served(t, onStream);
  const session = connect(`http://127.0.0.1:${port}`, { settings });
  t.after(() => session.destroy());
  return { session, connection };
}

interface Served {
  readonly port: number;
  readonly connection: Promise<ServerConnection>;
  /** The connection is over. */
  readonly closed: Promise<void>;
}

/** Serves the first connection. */
async function served(t: TestContext, onStream: (stream: Http2Stream) => void): Promise<Served> {
  const made = Promise.withResolvers<ServerConnection>();
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    made.resolve(
      new ServerConnection(socket, {
        maxConcurrentStreams: 100,
        frameBytes: 65_536,
        windowBytes: 1_000_000,
        headerBytes: 100_000,
        onStream,
        onClose: closed.resolve,
        onError: (error) => assert.fail(String(error)),
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    (await made.promise).destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connection: made.promise, closed: closed.promise };
}

/** Answers with what came, as it comes. */
function echo(stream: Http2Stream): void {
  stream.respond([[':status', '200']], false);
  const { body } = stream;
  if (body === undefined) return stream.end();
  const pass = (): void => {
    // No more is read than the client takes.
    while (stream.queuedBytes < 10_000) {
      const chunk = body.read();
      if (chunk === undefined) break;
      stream.write(chunk);
    }
    if (body.wasRead) stream.end([['x-end', 'yes']]);
  };
  stream.onDrain = pass;
  body.reader = { readable: pass, broken: () => undefined };
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function exchange(request: ClientHttp2Stream, body: Buffer): Promise<string> {
  request.end(body);
  return hash(await buffer(request));
}

describe('HTTP/2 server connection', () => {
  for (const [what, settings] of [
    ['default settings', {}],
    ['small windows', { initialWindowSize: 100 }],
    ['large frames', { maxFrameSize: 1_000_000, initialWindowSize: 10_000_000 }],
    ['no dynamic table', { headerTableSize: 0 }],
  ] as const) {
    test(`echoes bodies of 20 concurrent streams whole, with ${what}`, async (t) => {
      const { session } = await connected(t, echo, settings);
      const size = 'initialWindowSize' in settings && settings.initialWindowSize < 1000 ? 20_000 : 400_000;
      const bodies = Array.from({ length: 20 }, (_, at) => randomBytes(at * (size / 20)));
      assert.deepEqual(
        await Promise.all(bodies.map((body) => exchange(session.request({ ':method': 'POST' }), body))),
        bodies.map(hash),
      );
    });
  }

  test('sends trailers after the body', async (t) => {
    const { session } = await connected(t, echo);
    const request = session.request({ ':method': 'POST' });
    request.end('a');
    request.resume();
    const [trailers] = (await once(request, 'trailers')) as [Record<string, string>];
    assert.equal(trailers['x-end'], 'yes');
  });

  test('stops reading the stream whose body nobody reads, while others proceed', async (t) => {
    const { session } = await connected(t, (stream) => stream.head.headers[':path'] === '/held' || echo(stream));
    const held = session.request({ ':method': 'POST', ':path': '/held' });
    held.on('error', () => undefined);
    held.write(Buffer.alloc(300_000));
    const body = randomBytes(500_000);
    assert.equal(await exchange(session.request({ ':method': 'POST' }), body), hash(body));
    assert.ok(held.writableLength > 0);
  });

  test('queues the answer of a client that does not read its stream, while others proceed', async (t) => {
    let stalled: Http2Stream | undefined;
    const { session } = await connected(t, (stream) => {
      if (stream.head.headers[':path'] !== '/stalled') return echo(stream);
      stalled = stream;
      stream.respond([[':status', '200']], false);
      stream.write(Buffer.alloc(5_000_000));
    });
    const request = session.request({ ':path': '/stalled' });
    request.on('error', () => undefined);
    await once(request, 'response');
    const body = randomBytes(200_000);
    assert.equal(await exchange(session.request({ ':method': 'POST' }), body), hash(body));
    assert.ok((stalled?.queuedBytes ?? 0) > 4_000_000);
  });

  test('closes a stream and drops its queue after RST_STREAM from either side', async (t) => {
    const streams: Http2Stream[] = [];
    const begun = Promise.withResolvers<void>();
    const { session } = await connected(t, (stream) => {
      streams.push(stream);
      stream.respond([[':status', '200']], false);
      stream.write(Buffer.alloc(1_000_000));
      if (streams.length === 2) begun.resolve();
    });
    const [byServer, byClient] = [session.request(), session.request()];
    byClient.on('error', () => undefined);
    await begun.promise;
    const [first, second] = streams as [Http2Stream, Http2Stream];
    const closed = new Promise<void>((resolve) => {
      second.listener = { streamAnswered: () => undefined, streamClosed: resolve };
    });
    first.reset(errorCode.internal);
    byClient.close(constants.NGHTTP2_CANCEL);
    const [error] = (await once(byServer, 'error')) as [Error];
    assert.match(error.message, /INTERNAL_ERROR/);
    await closed;
    assert.deepEqual(
      streams.map(({ closed: isOver, queuedBytes }) => ({ isOver, queuedBytes })),
      [
        { isOver: true, queuedBytes: 0 },
        { isOver: true, queuedBytes: 0 },
      ],
    );
  });

  test('finishes open streams after GOAWAY, then closes', async (t) => {
    let under: Http2Stream | undefined;
    const begun = Promise.withResolvers<void>();
    const { session, connection } = await connected(t, (stream) => {
      under = stream;
      begun.resolve();
    });
    const request = session.request();
    await begun.promise;
    (await connection).close();
    await once(session, 'goaway');
    under?.respond([[':status', '200']], false);
    under?.end();
    const [headers] = (await once(request, 'response')) as [Record<string, number>];
    assert.equal(headers[':status'], 200);
    request.resume();
    await once(session, 'close');
  });

  test('ends a connection with ENHANCE_YOUR_CALM when the client cancels streams without end', async (t) => {
    const { session } = await connected(t, () => undefined);
    session.on('error', () => undefined);
    const gone = once(session, 'goaway') as Promise<[number]>;
    for (let sent = 0; sent < 400 && !session.destroyed; sent++) {
      const request = session.request({ ':path': '/' });
      request.on('error', () => undefined);
      request.close(constants.NGHTTP2_CANCEL);
      if (sent % 50 === 0) await new Promise(setImmediate);
    }
    assert.deepEqual((await gone)[0], errorCode.enhanceYourCalm);
  });

  test('closes a connection whose client reads none of its answers without a body', async (t) => {
    // Those of HEAD, 304 and 204 wait for no window, and their streams are over before they are read.
    let answered = 0;
    const { port, closed } = await served(t, (stream) => {
      answered++;
      stream.respond(
        [
          [':status', '200'],
          ['x-long', 'x'.repeat(1_000)],
        ],
        true,
      );
    });
    const client = createConnection(port, '127.0.0.1')
      .pause()
      .on('error', () => undefined);
    t.after(() => client.destroy());
    client.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settingsFrame([])]));
    for (let id = 1; !client.destroyed && id < 400_000; id += 2) {
      // GET / over http, all by index.
      const head = newFrame(frameType.headers, frameFlag.endStream | frameFlag.endHeaders, id, 3);
      head.set([0x82, 0x86, 0x84], 9);
      if (!client.write(head)) await new Promise(setImmediate);
    }
    await closed;
    assert.ok(answered < 100_000, `${answered} answers were made`);
  });

  test('answers PING', async (t) => {
    const { session } = await connected(t, echo);
    await once(session, 'connect');
    await new Promise<void>((resolve, reject) => session.ping((error) => (error === null ? resolve() : reject(error))));
  });

  test('drops the rest of a DATA frame after its stream was reset, in however many parts it arrives', async (t) => {
    const answered = Promise.withResolvers<void>();
    const { port } = await served(t, (stream) => {
      const { body } = stream;
      if (body === undefined) {
        stream.respond([[':status', '200']], true);
        return answered.resolve();
      }
      body.reader = { readable: () => stream.reset(errorCode.cancel), broken: () => undefined };
    });
    const client = createConnection(port, '127.0.0.1')
      .resume()
      .on('error', (error) => answered.reject(error))
      .on('close', () => answered.reject(new Error('the connection was ended')));
    t.after(() => client.destroy());
    const request = (id: number, flags: number): Buffer => {
      // POST or GET / over http, all by index.
      const head = newFrame(frameType.headers, flags | frameFlag.endHeaders, id, 3);
      head.set([flags === 0 ? 0x83 : 0x82, 0x86, 0x84], frameHeaderBytes);
      return head;
    };
    client.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settingsFrame([])]));
    // More than the faults that a connection may have; the first part is told before the next one comes.
    const parts = 400;
    for (let id = 1; id < 6; id += 2) {
      client.write(Buffer.concat([request(id, 0), newFrame(frameType.data, frameFlag.endStream, id, parts, 0)]));
      for (let part = 0; part < parts; part++) {
        client.write('x');
        await new Promise(setImmediate);
      }
    }
    client.write(request(7, frameFlag.endStream));
    await answered.promise;
  });

  test('closes a connection whose client changes the initial window without end', async (t) => {
    const { port, closed } = await served(t, () => undefined);
    const client = createConnection(port, '127.0.0.1').resume();
    t.after(() => client.destroy());
    const head = newFrame(frameType.headers, frameFlag.endHeaders | frameFlag.endStream, 1, 3);
    head.set([0x82, 0x86, 0x84], frameHeaderBytes);
    const change = (window: number): Buffer => settingsFrame([[setting.initialWindowSize, window]]);
    client.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settingsFrame([]), head]));
    client.write(Buffer.concat(Array.from({ length: 1000 }, (_, at) => change(at % 2))));
    await closed;
  });

  test('decodes every byte of field values that a client codes by Huffman', async (t) => {
    const seen = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    const { session } = await connected(t, (stream) => {
      seen.resolve(stream.head.headers);
      stream.respond([[':status', '200']], true);
    });
    // Among so many letters, nghttp2 codes even the bytes with the longest codes.
    const bytes = Array.from({ length: 256 }, (_, code) => code).filter((code) => code >= 0x20 && code !== 0x7f);
    const valueOf = (code: number): string => `${'a'.repeat(60)}${String.fromCharCode(code)}${'a'.repeat(60)}`;
    session.request(Object.fromEntries(bytes.map((code) => [`x-${code}`, valueOf(code)]))).resume();
    const headers = await seen.promise;
    for (const code of bytes) assert.equal(headers[`x-${code}`], valueOf(code), `byte ${code}`);
  });
});
