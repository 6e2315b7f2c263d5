import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameHeadBytes, writeFrameHead } from './frame-head.ts';
import { FrameParser } from './frame-parser.ts';

describe('FrameParser', () => {
  test('finds frames however the bytes are cut', () => {
    const payloads = ['', 'a', 'bc'.repeat(40), 'd'].map((text) => Buffer.from(text));
    const wire = Buffer.concat(
      payloads.map((payload, i) => writeFrameHead(Buffer.concat([Buffer.alloc(frameHeadBytes), payload]), i, 1, 0)),
    );
    for (const size of [1, 2, 7, 11, wire.length]) {
      const seen: string[] = [];
      const parser = new FrameParser({ onFrame: (_id, _type, _flags, payload) => seen.push(payload.toString()) });
      for (let at = 0; at < wire.length; at += size) parser.push(wire.subarray(at, at + size));
      assert.deepEqual(seen, payloads.map(String));
    }
  });

  test('hands out long frames of the chosen type in parts', () => {
    const payloads = ['a', 'bc'.repeat(20_000), 'd', 'e'.repeat(9000)].map((text) => Buffer.from(text));
    const wire = Buffer.concat(
      payloads.map((payload, i) =>
        writeFrameHead(Buffer.concat([Buffer.alloc(frameHeadBytes), payload]), i, 1 + (i === 3 ? 1 : 0), 0),
      ),
    );
    for (const size of [1, 13, 4096, 65_536, wire.length]) {
      const seen: string[] = [];
      let parts = 0;
      const parser = new FrameParser(
        {
          onFrame: (id, _type, _flags, payload) => {
            seen[id] = payload.toString();
          },
          onPart: (id, type, part, isFirst) => {
            assert.equal(type, 1);
            assert.equal(isFirst, seen[id] === undefined);
            seen[id] = (seen[id] ?? '') + part.toString();
            parts++;
          },
        },
        1 << 20,
        1,
      );
      for (let at = 0; at < wire.length; at += size) parser.push(wire.subarray(at, at + size));
      assert.deepEqual(seen, payloads.map(String));
      assert.equal(parts > 1, size < 40_000);
    }
  });
});
