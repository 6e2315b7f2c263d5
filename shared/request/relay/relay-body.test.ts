import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import { relayBody, type BodySink } from './relay-body.ts';

/** Takes `room` chunks, then is full until {@link drain}. */
class TestSink implements BodySink {
  readonly received: string[] = [];
  readonly ended = Promise.withResolvers<OutgoingHeaders | undefined>();
  readonly aborted = Promise.withResolvers<void>();
  #room: number;
  #drained: () => void = () => undefined;

  constructor(room: number) {
    this.#room = room;
  }

  write(chunk: Buffer): boolean {
    this.received.push(String(chunk));
    return --this.#room > 0;
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  drain(room: number): void {
    this.#room = room;
    this.#drained();
  }

  end(trailers?: OutgoingHeaders): void {
    this.ended.resolve(trailers);
  }

  abort(): void {
    this.aborted.resolve();
  }
}

function bodyOf(...chunks: string[]): Readable {
  return Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false, highWaterMark: 1 },
  );
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}

describe('relayBody', () => {
  test('stops reading the body while the sink is full, and continues when it drains', async () => {
    const sink = new TestSink(2);
    relayBody(bodyOf('a', 'b', 'c', 'd', 'e'), sink);
    await settled();
    assert.deepEqual(sink.received, ['a', 'b']);
    sink.drain(1);
    await settled();
    assert.deepEqual(sink.received, ['a', 'b', 'c']);
    sink.drain(9);
    await sink.ended.promise;
    assert.deepEqual(sink.received, ['a', 'b', 'c', 'd', 'e']);
  });

  test('ends the sink after an empty body', async () => {
    const sink = new TestSink(1);
    relayBody(bodyOf(), sink);
    assert.equal(await sink.ended.promise, undefined);
    assert.deepEqual(sink.received, []);
  });

  test('aborts the sink when the body breaks off', async () => {
    const sink = new TestSink(9);
    const body = new Readable({ read: () => undefined });
    relayBody(body, sink);
    body.push('half');
    await settled();
    body.destroy(new Error('the peer is gone'));
    await sink.aborted.promise;
    assert.deepEqual(sink.received, ['half']);
  });

  test('passes the trailers of the answer behind its body, without those of its connection', async () => {
    const sink = new TestSink(9);
    const answer = { trailers: { 'x-sum': '4', 'keep-alive': 'timeout=5' } } as unknown as IncomingMessage;
    relayBody(bodyOf('a'), sink, answer);
    assert.deepEqual(await sink.ended.promise, { 'x-sum': '4' });
  });

  test('ends without trailers where the answer has none', async () => {
    const sink = new TestSink(9);
    relayBody(bodyOf('a'), sink, { trailers: {} } as unknown as IncomingMessage);
    assert.equal(await sink.ended.promise, undefined);
  });
});
