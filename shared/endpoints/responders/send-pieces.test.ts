import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { sendBody } from './send-body.ts';
import { sendPieces, type BodyOptions } from './send-pieces.ts';

/** An answer that is kept in memory. */
class KeptAnswer {
  readonly #ended = Promise.withResolvers<void>();
  readonly #chunks: Uint8Array[] = [];
  headers: OutgoingHeaders = {};
  way: 'none' | 'at once' | 'in pieces' | 'aborted' = 'none';
  readonly context: RequestContext;

  constructor(acceptEncoding: string | undefined) {
    const stream: Partial<ResponseStream> = {
      write: (chunk) => this.#chunks.push(Buffer.from(chunk)) > 0,
      bufferedBytes: 0,
      onDrain: () => undefined,
      end: () => this.#ended.resolve(),
      abort: () => {
        this.way = 'aborted';
        this.#ended.resolve();
      },
    };
    const exchange: Partial<Exchange> = {
      headers: { 'accept-encoding': acceptEncoding },
      closed: false,
      onClose: () => undefined,
      send: (_status, headers, body) => {
        this.#begin('at once', headers);
        for (const chunk of body as readonly Uint8Array[]) this.#chunks.push(chunk);
        this.#ended.resolve();
      },
      stream: (_status, headers) => {
        this.#begin('in pieces', headers);
        return stream as ResponseStream;
      },
    };
    this.context = { exchange } as RequestContext;
  }

  #begin(way: 'at once' | 'in pieces', headers: OutgoingHeaders): void {
    this.way = way;
    this.headers = headers;
  }

  /** The bytes that the client reads, uncompressed. */
  async body(): Promise<Buffer> {
    await this.#ended.promise;
    const bytes = Buffer.concat(this.#chunks);
    return this.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  }
}

const kib = 1024;

function* piecesOf(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10 * kib) yield bytes.subarray(at, at + 10 * kib);
}

const senders = {
  sendPieces: (answer: KeptAnswer, bytes: Buffer, options?: BodyOptions): void =>
    void sendPieces(answer.context, 200, 'text/plain', { [Symbol.iterator]: () => piecesOf(bytes) }, options),
  sendBody: (answer: KeptAnswer, bytes: Buffer, options?: BodyOptions): void =>
    sendBody(answer.context, 200, 'text/plain', [bytes], options),
};

const cases: [
  what: string,
  bytes: number,
  encoding: string | undefined,
  options: BodyOptions | undefined,
  isGzip: boolean,
][] = [
  ['128 KiB', 128 * kib, 'gzip', undefined, false],
  ['more than 128 KiB', 128 * kib + 1, 'gzip', undefined, true],
  ['3 MiB', 3 * kib * kib, 'gzip', undefined, true],
  ['3 MiB to a client that names other codings', 3 * kib * kib, 'br, deflate', undefined, false],
  ['3 MiB to a client that names none', 3 * kib * kib, undefined, undefined, false],
  ['3 MiB where the caller wants gzip', 3 * kib * kib, undefined, { gzip: true }, true],
  ['3 MiB where the caller wants none', 3 * kib * kib, 'gzip', { gzip: false }, false],
];

for (const [name, send] of Object.entries(senders))
  describe(name, () => {
    for (const [what, length, encoding, options, isGzip] of cases)
      test(`sends ${what} ${isGzip ? 'compressed' : 'as it is'}`, async () => {
        const bytes = Buffer.alloc(length, 'some text ');
        const answer = new KeptAnswer(encoding);
        send(answer, bytes, options);
        assert.ok((await answer.body()).equals(bytes));
        assert.equal(answer.headers['content-type'], 'text/plain');
        assert.equal(answer.headers['content-encoding'], isGzip ? 'gzip' : undefined);
        assert.equal(answer.headers['vary'], isGzip ? 'Accept-Encoding' : undefined);
      });

    test('names the Vary header that the caller gives', async () => {
      const answer = new KeptAnswer('gzip');
      send(answer, Buffer.alloc(200 * kib), { vary: 'Accept' });
      await answer.body();
      assert.equal(answer.headers['vary'], 'Accept');
    });
  });

describe('sendPieces', () => {
  test('sends up to 1 MiB at once, and more in pieces', async () => {
    for (const [length, way] of [
      [kib * kib, 'at once'],
      [kib * kib + 1, 'in pieces'],
    ] as const) {
      const answer = new KeptAnswer(undefined);
      senders.sendPieces(answer, Buffer.alloc(length, 'a'));
      assert.equal((await answer.body()).length, length);
      assert.equal(answer.way, way);
    }
  });

  test('cuts off an answer whose bytes cannot be made', async () => {
    const answer = new KeptAnswer(undefined);
    const broken = {
      *[Symbol.iterator]() {
        yield* piecesOf(Buffer.alloc(2 * kib * kib));
        throw new Error('broken');
      },
    };
    await assert.rejects(sendPieces(answer.context, 200, 'text/plain', broken), {
      message: 'the answer was cut off: its bytes could not be made',
    });
    assert.equal(answer.way, 'aborted');
  });
});
