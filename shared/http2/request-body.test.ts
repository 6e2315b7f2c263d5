import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { ReceiveWindow } from './receive-window.ts';
import { StreamBody } from './request-body.ts';

/** A body within windows of 100 bytes, and what its windows and its reader are told. */
function bodyOf(announced?: number): { readonly body: StreamBody; readonly told: string[] } {
  const told: string[] = [];
  const window = (name: string): ReceiveWindow => new ReceiveWindow(100, (bytes) => told.push(`${name} +${bytes}`));
  const [stream, connection] = [window('stream'), window('connection')];
  connection.take(100);
  return { body: new StreamBody(announced, stream, connection), told };
}

const bytes = (length: number): Buffer => Buffer.alloc(length);

describe('StreamBody', () => {
  test('accepts payload and padding up to the window, and reports a byte more', () => {
    const { body } = bodyOf();
    assert.equal(body.receive(bytes(60), 0), undefined);
    assert.equal(body.receive(bytes(38), 2), undefined);
    assert.equal(body.receive(bytes(1), 0), 'more than the window');
  });

  test('accepts as many bytes as Content-Length announces, without padding, and reports a byte more', () => {
    const { body } = bodyOf(10);
    assert.equal(body.receive(bytes(10), 5), undefined);
    assert.equal(body.receive(bytes(1), 0), 'more than announced');
  });

  test('gives both windows back what was read, and the connection alone after the end', () => {
    const { body, told } = bodyOf();
    body.receive(bytes(50), 0);
    body.receive(bytes(50), 0);
    assert.equal(body.read()?.length, 50);
    assert.deepEqual(told, ['connection +50', 'stream +50']);
    body.end();
    assert.equal(body.wasRead, false);
    assert.equal(body.read()?.length, 50);
    assert.equal(body.wasRead, true);
    assert.deepEqual(told.slice(2), ['connection +50']);
    assert.equal(body.read(), undefined);
  });

  test('gives padding back at once', () => {
    const { body, told } = bodyOf();
    body.receive(bytes(1), 50);
    assert.deepEqual(told, ['connection +50', 'stream +50']);
  });

  test('gives unread bytes back to the connection when it is abandoned, and breaks its reader once', () => {
    const { body, told } = bodyOf();
    body.receive(bytes(60), 0);
    body.reader = { readable: () => told.push('readable'), broken: (why) => told.push(`broken ${why}`) };
    body.abandon();
    body.abandon();
    assert.deepEqual(told, ['readable', 'connection +60', 'broken undefined']);
  });

  test('breaks its reader when it ends before its Content-Length, with the text of Go', () => {
    const { body, told } = bodyOf(10);
    body.receive(bytes(9), 0);
    body.end();
    body.reader = { readable: () => told.push('readable'), broken: (why) => told.push(`broken: ${why}`) };
    assert.deepEqual(told, ['broken: request declared a Content-Length of 10 but only wrote 9 bytes']);
  });

  test('tells a reader that comes late of bytes and of the end, and of nothing before', () => {
    const { body, told } = bodyOf();
    const reader = { readable: () => void told.push('readable'), broken: () => assert.fail() };
    body.reader = reader;
    assert.deepEqual(told, []);
    body.receive(bytes(0), 0);
    assert.deepEqual(told, []);
    body.receive(bytes(1), 0);
    body.end();
    body.reader = reader;
    assert.deepEqual(told, ['readable', 'readable', 'readable']);
  });
});
