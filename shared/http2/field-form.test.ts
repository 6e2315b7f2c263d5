import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFieldName, isFieldValue } from './field-form.ts';

const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

describe('isFieldName', () => {
  test('accepts the characters of tokens, except capitals', () => {
    // RFC 9110 section 5.6.2 and RFC 9113 section 8.2.1.
    const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz";
    assert.equal(bytes.filter((byte) => isFieldName(byte)).join(''), [...token].toSorted().join(''));
  });

  test('refuses an empty name', () => {
    assert.equal(isFieldName(''), false);
  });
});

describe('isFieldValue', () => {
  test('accepts tabs, visible characters, spaces and bytes from 0x80 on', () => {
    // golang.org/x/net/http/httpguts: a byte is refused when it is a control character other than a tab.
    const refused = bytes.filter((byte) => !isFieldValue(byte)).map((byte) => byte.charCodeAt(0));
    const controls = [...Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9), 0x7f];
    assert.deepEqual(refused, controls);
  });

  test('accepts an empty value, and refuses one control character among others', () => {
    assert.equal(isFieldValue(''), true);
    assert.equal(isFieldValue('ab\0c'), false);
  });
});
