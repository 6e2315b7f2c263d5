import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BytePieces } from './byte-pieces.ts';

describe('BytePieces', () => {
  test('returns all bytes in the order pushed, whatever their sizes and whenever they are read', () => {
    const size = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 10_000 }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.record({ push: size }), fc.constantFrom('shift' as const, 'all' as const)), {
          maxLength: 100,
        }),
        (steps) => {
          const pieces = new BytePieces();
          const [pushed, taken]: [Buffer[], Buffer[]] = [[], []];
          for (const step of steps) {
            if (step === 'shift') taken.push(pieces.shift() ?? Buffer.alloc(0));
            else if (step === 'all') taken.push(pieces.takeAll());
            else {
              const bytes = Buffer.from(Array.from({ length: step.push }, (_, at) => at + pushed.length));
              pushed.push(bytes);
              pieces.push(bytes);
            }
            assert.equal(
              pieces.length,
              pushed.reduce((sum, { length }) => sum + length, 0) - taken.reduce((sum, { length }) => sum + length, 0),
            );
          }
          assert.ok(Buffer.concat([...taken, pieces.takeAll()]).equals(Buffer.concat(pushed)));
          assert.equal(pieces.shift(), undefined);
        },
      ),
    );
  });

  test('returns a single piece without copying it', () => {
    const pieces = new BytePieces();
    const bytes = Buffer.from('a');
    pieces.push(bytes);
    assert.equal(pieces.takeAll(), bytes);
  });

  test('copies tiny pieces together, so that they take little memory and release their source buffer', () => {
    const pieces = new BytePieces();
    const came = Buffer.alloc(1_000_000);
    for (let at = 0; at < came.length; at++) pieces.push(came.subarray(at, at + 1));
    let count = 0;
    let memory = 0;
    pieces.shift();
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      count++;
      memory += piece.buffer.byteLength;
      assert.notEqual(piece.buffer, came.buffer);
    }
    assert.ok(count < 30, `${count} pieces`);
    assert.ok(memory < 1_200_000, `${memory} bytes`);
  });
});
