import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PrettyPrinter, prettyPieces } from './pretty-printer.ts';

/** Of random documents; `test/conformance/representations` runs the whole number. */
const documents = Number(process.env['PRETTY_DOCUMENTS'] ?? 3000);

/** A small generator with a seed, so that a document that fails can be made again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed + 0x9e3779b9;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

const parts = [
  'a',
  '"',
  '\\',
  '\n',
  '\t',
  '<',
  '>',
  '&',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  'é',
  '漢',
  '😀',
  '\u2028',
  '\u0001',
  'x'.repeat(70),
  '\\"',
  '\\\\',
];

function randomText(random: (below: number) => number): string {
  let text = '';
  for (let count = random(12); count > 0; count--) text += parts[random(parts.length)] as string;
  return text;
}

function randomValue(random: (below: number) => number, depth: number): unknown {
  switch (random(depth > 4 ? 5 : 8)) {
    case 0:
      return randomText(random);
    case 1:
      return random(1000) - 500;
    case 2:
      return random(1000) / 7;
    case 3:
      return random(2) === 1;
    case 4:
      return null;
    case 5:
      return Array.from({ length: random(5) }, () => randomValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(5) }, (_, at) => [`${randomText(random)}${at}`, randomValue(random, depth + 1)]),
      );
  }
}

/** Go escapes what HTML could take for its own; these stand in strings only. */
function goEscapes(text: string): string {
  return text.replaceAll(/[<>&\u2028]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function printed(bytes: Buffer, cuts: readonly number[]): string {
  const printer = new PrettyPrinter();
  const out: Buffer[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    printer.push(bytes.subarray(from, to));
    out.push(printer.take());
    from = to;
  }
  return Buffer.concat(out).toString();
}

describe('PrettyPrinter', () => {
  test("indents any document as Go's MarshalIndent does, wherever its bytes are cut", () => {
    for (let seed = 0; seed < documents; seed++) {
      const random = randomOf(seed);
      const value = randomValue(random, 0);
      const bytes = Buffer.from(goEscapes(JSON.stringify(value)));
      const cuts = Array.from({ length: random(6) }, () => random(bytes.length + 1)).sort((a, b) => a - b);
      assert.equal(printed(bytes, cuts), goEscapes(JSON.stringify(value, null, 2)), `seed ${seed}`);
    }
  });

  test('accepts a cut at any byte', () => {
    const value = { 'a "key\\': ['x\\', '\\"', {}, [], { b: [[], {}] }, 'é😀', -1.5e-7, null], c: {} };
    const bytes = Buffer.from(JSON.stringify(value));
    for (let cut = 0; cut <= bytes.length; cut++)
      assert.equal(printed(bytes, [cut]), JSON.stringify(value, null, 2), `cut at ${cut}`);
    assert.equal(
      printed(
        bytes,
        Array.from(bytes, (_, at) => at),
      ),
      JSON.stringify(value, null, 2),
    );
  });

  test('prints long values at any depth', () => {
    const value = (depth: number): unknown => (depth === 0 ? '1'.repeat(3000) : [value(depth - 1), 12345678901234]);
    assert.equal(printed(Buffer.from(JSON.stringify(value(300))), []), JSON.stringify(value(300), null, 2));
  });

  test('takes time in proportion to the length of a text full of escapes', () => {
    const time = (length: number): number => {
      const bytes = Buffer.from(JSON.stringify({ text: `${'y'.repeat(60)}\n`.repeat(length) }));
      const start = process.cpuUsage().user;
      for (const piece of prettyPieces([bytes])) assert.ok(piece.length >= 0);
      return process.cpuUsage().user - start;
    };
    time(20_000);
    assert.ok(time(60_000) < 500_000, 'quadratic work would take seconds');
  });
});
