import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FrameReader } from './frame-reader.ts';
import { AbruptEnd, ConnectionFault, newFrame } from './frames.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

describe('FrameReader', () => {
  test('reads the same frames wherever the input is split', () => {
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
        // DATA comes in pieces; only the last one has the flag of the end.
        let begun: Buffer | undefined;
        const reader = new FrameReader(40, (type, flags, stream, payload) => {
          const expected = frames[seen.length];
          const whole: Buffer = begun === undefined ? payload : Buffer.concat([begun, payload]);
          begun = undefined;
          if (type === 0 && whole.length < (expected?.payload.length ?? 0)) {
            assert.deepEqual([flags & 1, stream], [0, expected?.stream]);
            begun = Buffer.from(whole);
          } else seen.push({ type, flags, stream, payload: new Uint8Array(whole) });
        });
        for (let at = 0, turn = 0; at < all.length; turn++) {
          const size = cuts[turn % cuts.length] as number;
          reader.push(all.subarray(at, at + size));
          at += size;
        }
        assert.deepEqual(seen, frames);
      }),
    );
  });

  test('delivers parts of a DATA frame as they arrive, and END_STREAM with the last', () => {
    const seen: string[] = [];
    const reader = new FrameReader(40, (type, flags, stream, payload) =>
      seen.push(`${type} ${flags} ${stream} ${payload.toString()}`),
    );
    const frame = Buffer.concat([newFrame(0, 1, 3, 6, 0), Buffer.from('abcdef')]);
    reader.push(Buffer.concat([preface, frame.subarray(0, 9)]));
    assert.deepEqual(seen, []);
    reader.push(frame.subarray(9, 11));
    reader.push(frame.subarray(11, 14));
    reader.push(Buffer.concat([frame.subarray(14), newFrame(6, 0, 0, 0, 0)]));
    assert.deepEqual(seen, ['0 0 3 ab', '0 0 3 cde', '0 1 3 f', '6 0 0 ']);
    // Where the padding ends is known of the whole frame only.
    seen.length = 0;
    const padded = Buffer.concat([newFrame(0, 8, 3, 4, 0), Buffer.from([1, 0x61, 0x62, 0])]);
    reader.push(padded.subarray(0, 11));
    assert.deepEqual(seen, []);
    reader.push(padded.subarray(11));
    assert.equal(seen.length, 1);
  });

  test('throws a connection error for a payload over the limit before it arrives', () => {
    const reader = new FrameReader(40, () => assert.fail());
    assert.throws(() => reader.push(Buffer.concat([preface, newFrame(0, 0, 1, 41, 0)])), ConnectionFault);
  });

  test('rejects a wrong client preface at its first wrong byte', () => {
    const reader = new FrameReader(40, () => assert.fail());
    reader.push(Buffer.from('PRI '));
    assert.throws(() => reader.push(Buffer.from('/')), AbruptEnd);
  });
});
