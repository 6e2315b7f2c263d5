import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodePath, decodePathBytes, encodePath, encodeQuery } from './request-path.ts';

describe('decodePath', () => {
  test('decodes every spelling of a path to the same text', () => {
    for (const spelling of ['/allowed', '/%61llowed', '/%61%6c%6C%6f%77%65%64'])
      assert.equal(decodePath(spelling), '/allowed');
    for (const spelling of ['/\xc3\xa9', '/%c3%a9', '/%C3\xa9']) assert.equal(decodePath(spelling), '/é');
    assert.equal(decodePath('/a%2Fb%2e%2E'), '/a/b..');
    assert.equal(decodePath('/%2561'), '/%61');
  });
});

describe('encodePath', () => {
  test('encodes a path so that decoding gives the same path', () => {
    for (const path of [
      '/allowed',
      '/a b',
      '/é',
      '/a%61',
      '/a?b#c',
      '/a;b=c:d@e!f*g',
      '/"<>\\^`{|}~[]',
      '/a//../b/.',
      '/\ufffd',
      '/😀',
    ]) {
      const sent = encodePath(path);
      assert.match(sent, /^[!-~]+$/);
      assert.equal(decodePath(sent), path);
      assert.ok(!/[?#]/.test(sent), sent);
    }
  });
});

describe('encodeQuery', () => {
  test('sends on the readable pairs of a query, sorted by name and in one spelling', () => {
    assert.equal(encodeQuery(''), '');
    assert.equal(encodeQuery('b=2&a=1&b=1'), 'a=1&b=2&b=1');
    assert.equal(encodeQuery('watch=1&a=1;watch=0&c=%zz&&d'), 'd=&watch=1');
    assert.equal(encodeQuery('a=b+c%20d&=&e~*!=%c3%a9'), '=&a=b+c+d&e~%2A%21=%C3%A9');
    assert.equal(encodeQuery('%ff=\xe9'), '%FF=%E9');
    assert.equal(encodeQuery(`a=1${'&b'.repeat(9_999)}`).length, 3 + 9_999 * 3);
    assert.equal(encodeQuery(`a=1${'&b'.repeat(10_000)}`), '');
  });
});

describe('decodePathBytes', () => {
  test('leaves broken escapes as they are', () => {
    assert.equal(decodePathBytes('/%4g%zz%41%4'), '/%4g%zzA%4');
    assert.equal(decodePathBytes('%%41%'), '%A%');
    assert.equal(decodePathBytes('/%e9\xe9%C3%A9'), '/\xe9\xe9\xc3\xa9');
  });
});
