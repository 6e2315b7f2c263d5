import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReceiveWindow } from '#shared/http2/receive-window.ts';
import { StreamBody } from '#shared/http2/request-body.ts';
import { Http2BodyFlow } from './http2-body-flow.ts';

function start(announced?: number): { body: StreamBody; flow: Http2BodyFlow; log: string[]; begin: () => void } {
  const window = (): ReceiveWindow => new ReceiveWindow(65_535, () => undefined);
  const body = new StreamBody(announced, window(), window());
  const log: string[] = [];
  const flow = new Http2BodyFlow(body, {
    onWanted: () => void log.push('wanted'),
    onRead: () => void log.push('read'),
    onShort: (why) => void log.push(why),
  });
  const taker = { onData: (chunk: Buffer) => void log.push(chunk.toString()), onEnd: () => void log.push('end') };
  return { body, flow, log, begin: () => flow.start(taker) };
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('the flow of a body of HTTP/2', () => {
  test('passes on what has arrived at once, what comes later, and the end', () => {
    const { body, flow, log, begin } = start();
    body.receive(bytes('a'), 0);
    begin();
    assert.deepEqual(log, ['wanted', 'a']);
    body.receive(bytes('b'), 0);
    body.end();
    assert.deepEqual(log, ['wanted', 'a', 'b', 'read', 'end']);
    assert.equal(flow.ended, true);
  });

  test('passes a body that has arrived as a whole on before start returns', () => {
    const { body, log, begin } = start(2);
    body.receive(bytes('ab'), 0);
    body.end();
    begin();
    assert.deepEqual(log, ['wanted', 'ab', 'read', 'end']);
  });

  test('holds everything back while it is paused, the end too', () => {
    const { body, flow, log, begin } = start();
    begin();
    body.receive(bytes('a'), 0);
    flow.pause();
    body.receive(bytes('b'), 0);
    body.end();
    assert.deepEqual(log, ['wanted', 'a']);
    flow.resume();
    assert.deepEqual(log, ['wanted', 'a', 'b', 'read', 'end']);
  });

  test('tells of a body that is shorter than announced, and has no end then', () => {
    const { body, flow, log, begin } = start(5);
    begin();
    body.receive(bytes('ab'), 0);
    body.end();
    flow.resume();
    assert.deepEqual(log.slice(0, 2), ['wanted', 'ab']);
    assert.match(log[2] ?? '', /Content-Length of 5 but only wrote 2/);
    assert.equal(log.length, 3);
  });

  test('has no end where the stream is closed before', () => {
    const { body, flow, log, begin } = start();
    begin();
    body.receive(bytes('a'), 0);
    body.abandon();
    flow.resume();
    assert.deepEqual(log, ['wanted', 'a']);
  });
});
