import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FrameReader } from './frame-reader.ts';
import { AbruptEnd, ConnectionFault, newFrame } from './frames.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

test('frames are the same, wherever what came was cut', () => {
  const piece = fc.record(
    { type: fc.nat(20), flags: fc.nat(255), stream: fc.nat(2 ** 31 - 1), payload: fc.uint8Array({ maxLength: 40 }) },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (frames, cuts) => {
      const all = Buffer.concat([
        preface,
        ...frames.flatMap(({ type, flags, stream, payload }) => [
          newFrame(type, flags, stream, payload.length, 0),
          payload,
        ]),
      ]);
      const seen: typeof frames = [];
      const reader = new FrameReader(40, (type, flags, stream, payload) =>
        seen.push({ type, flags, stream, payload: new Uint8Array(payload) }),
      );
      for (let at = 0, turn = 0; at < all.length; turn++) {
        const size = cuts[turn % cuts.length] as number;
        reader.push(all.subarray(at, at + size));
        at += size;
      }
      assert.deepEqual(seen, frames);
    }),
  );
});

test('a payload over the limit ends the connection before it came', () => {
  const reader = new FrameReader(40, () => assert.fail());
  assert.throws(() => reader.push(Buffer.concat([preface, newFrame(0, 0, 1, 41, 0)])), ConnectionFault);
});

test('what does not begin as HTTP/2 does is refused at its first wrong byte', () => {
  const reader = new FrameReader(40, () => assert.fail());
  reader.push(Buffer.from('PRI '));
  assert.throws(() => reader.push(Buffer.from('/')), AbruptEnd);
});
