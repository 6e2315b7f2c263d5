import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readMailbox } from './mailbox.ts';

// RFC 2821 section 4.1.2, as crypto/x509 reads it (parseRFC2821Mailbox).
describe('readMailbox', () => {
  for (const [text, local, domain] of [
    ['a@b.example', 'a', 'b.example'],
    ['a.b@b.example', 'a.b', 'b.example'],
    ["!#$%&'*+-/=?^_`{|}~0@b", "!#$%&'*+-/=?^_`{|}~0", 'b'],
    ['"a b"@b.example', 'a b', 'b.example'],
    ['"a\\"b"@b.example', 'a"b', 'b.example'],
    ['"a@c"@b.example', 'a@c', 'b.example'],
    ['a\\@c@b.example', 'a@c', 'b.example'],
    ['a@', 'a', ''],
  ] as const) {
    test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(readMailbox(text), { local, domain }));
  }

  for (const text of [
    '',
    'a',
    '@b',
    '.a@b',
    'a.@b',
    'a..b@b',
    'a b@c',
    'a@b.',
    'a@.b',
    '"a@b',
    '"a\tb"@c',
    '"a\0"@b',
    '"a\n"@b',
    '"a\\\r"@b',
    'a@@b c',
  ]) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(readMailbox(text), undefined));
  }
});
