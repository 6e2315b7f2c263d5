import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bytesOfText, textOfBuffer, textOfBytes } from './byte-text.ts';
import { byteLength, goJsonString, goQuote } from './go-format.ts';

describe('texts of bytes', () => {
  test('give their bytes back, valid or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
        const bytes = Buffer.from(array).toString('latin1');
        assert.equal(bytesOfText(textOfBytes(bytes)), bytes);
        assert.equal(byteLength(textOfBytes(bytes)), bytes.length);
      }),
    );
  });

  test('are well formed where the bytes are UTF-8, and only there', () => {
    const likely = fc.constantFrom(
      0x41,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xe0,
      0xe2,
      0xed,
      0xf0,
      0xf4,
      0xf5,
    );
    fc.assert(
      fc.property(fc.array(likely, { maxLength: 6 }), (array) => {
        const bytes = Buffer.from(array);
        assert.equal(textOfBuffer(bytes).isWellFormed(), isUtf8(bytes));
        if (isUtf8(bytes)) assert.equal(textOfBuffer(bytes), bytes.toString('utf8'));
      }),
      { numRuns: 5000 },
    );
  });

  test('differ where their faulty bytes differ', () => {
    assert.notEqual(textOfBytes('j\xfc'), textOfBytes('j\xfd'));
    assert.notEqual(textOfBytes('j\xfc'), 'j\ufffd');
    assert.equal(textOfBytes('j\xc3\xbc'), 'jü');
  });

  // Values of Go's strconv.Quote and encoding/json.
  test('show each faulty byte by itself, in quotes and in JSON', () => {
    for (const [bytes, quoted, json] of [
      ['j\xfcrgen', String.raw`"j\xfcrgen"`, String.raw`"j\ufffdrgen"`],
      ['\xe2\x82', String.raw`"\xe2\x82"`, String.raw`"\ufffd\ufffd"`],
      ['\xed\xa0\x80<', String.raw`"\xed\xa0\x80<"`, String.raw`"\ufffd\ufffd\ufffd\u003c"`],
      ['\xc0\xaf"', String.raw`"\xc0\xaf\""`, String.raw`"\ufffd\ufffd\""`],
      ['\xef\xbf\xbd', '"\ufffd"', '"\ufffd"'],
      ['\xf0\x9f\x98\x80', '"😀"', '"😀"'],
    ] as const) {
      assert.equal(goQuote(textOfBytes(bytes)), quoted);
      assert.equal(goJsonString(textOfBytes(bytes)), json);
    }
  });
});
