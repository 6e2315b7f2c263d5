import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bytesOfText, textOfBytes } from './byte-text.ts';
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
