import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { ConnectionFault } from './frames.ts';
import { HeaderBlockReader, type HeaderBlock } from './header-block-reader.ts';
import { block, flag, get } from './testing/raw-client.ts';

const headerBytes = 1_000;
/** Error codes of RFC 9113 section 7. */
const [protocolError, enhanceYourCalm] = [1, 11];
const nothing = Buffer.alloc(0);

function fault(code: number): (error: unknown) => boolean {
  return (error) => error instanceof ConnectionFault && error.code === code;
}

/** A block of a GET in so many empty fragments behind the first one. */
function withEmptyFragments(count: number): HeaderBlock | undefined {
  const reader = new HeaderBlockReader(headerBytes);
  reader.begin(flag.endStream, 1, block(...get));
  for (let sent = 1; sent < count; sent++) assert.equal(reader.continue(0, 1, nothing), undefined);
  return reader.continue(flag.endHeaders, 1, nothing);
}

describe('HeaderBlockReader', () => {
  test('is open until END_HEADERS, and returns stream, END_STREAM and fields', () => {
    const reader = new HeaderBlockReader(headerBytes);
    assert.equal(reader.isOpen, false);
    assert.equal(reader.begin(0, 3, block(...get.slice(0, 1))), undefined);
    assert.equal(reader.isOpen, true);
    const whole = reader.continue(flag.endHeaders, 3, block(...get.slice(1)));
    assert.equal(reader.isOpen, false);
    assert.deepEqual([whole?.stream, whole?.endStream, whole?.dependsOnItself], [3, false, false]);
    assert.deepEqual(whole?.collector.request(3).rawHeaders, get.flat());
  });

  test('accepts 100 empty fragments of a block, and throws ENHANCE_YOUR_CALM at the next', () => {
    assert.ok(withEmptyFragments(100));
    assert.throws(() => withEmptyFragments(101), fault(enhanceYourCalm));
  });

  test('counts the empty fragments of each block anew', () => {
    const reader = new HeaderBlockReader(headerBytes);
    for (const stream of [1, 3]) {
      reader.begin(flag.endStream, stream, block(...get));
      for (let sent = 0; sent < 60; sent++) reader.continue(0, stream, nothing);
      assert.ok(reader.continue(flag.endHeaders, stream, nothing));
    }
  });

  test('accepts a fragment of twice the bytes that are left, and throws PROTOCOL_ERROR at one byte more', () => {
    // Fields of a few bytes: each counts for 32 more than it takes here.
    const fields = (length: number): Buffer =>
      Buffer.concat([block(['x-a', 'b']), Buffer.alloc(length, 0x20)]).subarray(0, length);
    assert.doesNotThrow(() => new HeaderBlockReader(headerBytes).begin(0, 1, fields(2 * headerBytes)));
    assert.throws(
      () => new HeaderBlockReader(headerBytes).begin(0, 1, fields(2 * headerBytes + 1)),
      fault(protocolError),
    );
  });

  test('throws PROTOCOL_ERROR at a fragment after an invalid field', () => {
    const reader = new HeaderBlockReader(headerBytes);
    reader.begin(0, 1, block(['Capital', 'a']));
    assert.throws(() => reader.continue(flag.endHeaders, 1, block(...get)), fault(protocolError));
  });

  test('throws PROTOCOL_ERROR at CONTINUATION of another stream', () => {
    const reader = new HeaderBlockReader(headerBytes);
    reader.begin(0, 1, block(...get));
    assert.throws(() => reader.continue(flag.endHeaders, 3, nothing), fault(protocolError));
  });
});
