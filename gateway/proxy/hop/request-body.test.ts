import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { StreamFlow } from '#shared/request/body-flow.ts';
import { ForwardedBody } from './request-body.ts';

function taker(): { chunks: string[]; onData(chunk: Buffer): void; onEnd(): void } {
  const chunks: string[] = [];
  return { chunks, onData: (chunk) => void chunks.push(chunk.toString()), onEnd: () => void chunks.push('end') };
}

describe('ForwardedBody', () => {
  test('replays to the next backend what the first had taken and what came in between', async () => {
    const source = new PassThrough();
    const body = new ForwardedBody(new StreamFlow(source));
    const [first, second] = [taker(), taker()];
    body.take(first);
    source.write('a');
    await new Promise((resolve) => setImmediate(resolve));
    body.untake();
    source.write('b');
    body.take(second);
    const ended = once(source, 'end');
    source.end('c');
    await ended;
    assert.deepEqual(first.chunks, ['a']);
    assert.deepEqual(second.chunks, ['a', 'b', 'c', 'end']);
  });

  test('replays a body that has ended to the next backend in full', async () => {
    const source = new PassThrough();
    const body = new ForwardedBody(new StreamFlow(source));
    body.take(taker());
    const ended = once(source, 'end');
    source.end('all');
    await ended;
    body.untake();
    const next = taker();
    body.take(next);
    assert.deepEqual(next.chunks, ['all', 'end']);
  });

  test('reads a dropped body to its end', async () => {
    const source = new PassThrough();
    const body = new ForwardedBody(new StreamFlow(source));
    body.take(taker());
    body.untake();
    body.drop();
    const ended = once(source, 'end');
    source.end('rest');
    await ended;
    assert.ok(source.readableEnded);
  });
});
