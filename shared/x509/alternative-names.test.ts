import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { noNames, readAlternativeNames } from './alternative-names.ts';
import { DerError } from './der.ts';

/** The kinds of names by their tags (RFC 5280 section 4.2.1.6). */
const kinds = { other: 0xa0, mail: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, address: 0x87, registered: 0x88 };

function names(...list: readonly (readonly [kind: keyof typeof kinds, content: string | readonly number[]])[]): Buffer {
  const items = list.map(([kind, content]) => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content);
    return Buffer.concat([Buffer.from([kinds[kind], bytes.length]), bytes]);
  });
  const all = Buffer.concat(items);
  return Buffer.concat([Buffer.from([0x30, all.length]), all]);
}

describe('readAlternativeNames', () => {
  test('reads hosts, mail addresses, URIs and IP addresses in their order', () => {
    const read = readAlternativeNames(
      names(
        ['dns', 'a.example'],
        ['mail', 'a@b.example'],
        ['dns', '*.b.example'],
        ['uri', 'spiffe://c.example/x'],
        ['address', [10, 0, 0, 1]],
        ['address', Array.from({ length: 16 }, () => 1)],
      ),
    );
    assert.deepEqual(read, {
      dnsNames: ['a.example', '*.b.example'],
      emailAddresses: ['a@b.example'],
      uriHosts: ['c.example'],
      addresses: [Buffer.from([10, 0, 0, 1]), Buffer.alloc(16, 1)],
    });
  });

  for (const kind of ['other', 'directory', 'registered'] as const) {
    test(`ignores names of the kind ${kind}`, () =>
      assert.deepEqual(readAlternativeNames(names([kind, [1]])), noNames));
  }

  for (const length of [0, 3, 5, 15, 17]) {
    test(`refuses an IP address of ${length} bytes`, () => {
      assert.throws(() => readAlternativeNames(names(['address', Array.from({ length }, () => 1)])), DerError);
    });
  }

  for (const kind of ['dns', 'mail', 'uri'] as const) {
    test(`accepts a byte of 0x7e, and refuses 0x80 and 0xff, in a name of the kind ${kind}`, () => {
      assert.doesNotThrow(() => readAlternativeNames(names([kind, 'a~'])));
      assert.throws(() => readAlternativeNames(names([kind, 'a\x80'])), DerError);
      assert.throws(() => readAlternativeNames(names([kind, 'a\xff'])), DerError);
    });
  }

  test('refuses a URI that cannot be parsed', () => {
    assert.throws(() => readAlternativeNames(names(['uri', 'https://a.example:x/'])), DerError);
  });
});
